// Sends batches, each a line of base64 on standard input, and answers each with its number of error or 0, and a text.
const { Connection, Request } = require("tedious");
const lines = require("readline").createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const connection = new Connection({
  server: "127.0.0.1",
  authentication: { type: "default", options: { userName: "replitune", password: "lab" } },
  options: { port: Number(process.argv[2]), trustServerCertificate: true, encrypt: true },
});
let said = [];
connection.on("infoMessage", (one) => said.push(one.message));
const batch = (text) => new Promise((done) => {
  said = [];
  const request = new Request(text, (error) => done(error ? [error.number || -1, error.message] : [0, said.join("\n")]));
  request.on("row", (row) => said.push(row.map((cell) => cell.value).join("|")));
  connection.execSqlBatch(request);
});
connection.connect(async (error) => {
  if (error) { console.error(error.message); process.exit(2); }
  for await (const line of lines) {
    const [number, text] = await batch(Buffer.from(line, "base64").toString());
    console.log(number + " " + Buffer.from(text).toString("base64"));
  }
  connection.close();
});
