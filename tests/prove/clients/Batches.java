import java.io.*; import java.nio.charset.StandardCharsets; import java.sql.*; import java.util.*;

/** Sends batches, each a line of base64 on standard input, and answers each with its number of error or 0, and a text. */
public class Batches {
    public static void main(String[] given) throws Exception {
        Properties login = new Properties();
        login.setProperty("user", "replitune"); login.setProperty("password", "lab");
        String url = "jdbc:sqlserver://127.0.0.1:" + given[0] + ";encrypt=true;trustServerCertificate=true";
        try (Connection connection = DriverManager.getConnection(url, login)) {
            BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
            for (String line; (line = lines.readLine()) != null; ) {
                StringBuilder said = new StringBuilder();
                int number = 0;
                try (Statement statement = connection.createStatement()) {
                    boolean rows = statement.execute(new String(Base64.getDecoder().decode(line), StandardCharsets.UTF_8));
                    while (rows || statement.getUpdateCount() != -1) {
                        if (rows) try (ResultSet found = statement.getResultSet()) {
                            while (found.next()) {
                                for (int at = 1; at <= found.getMetaData().getColumnCount(); at++)
                                    said.append(found.getString(at)).append("|");
                                said.append("\n");
                            }
                        }
                        rows = statement.getMoreResults();
                    }
                    for (SQLWarning one = statement.getWarnings(); one != null; one = one.getNextWarning())
                        said.append(one.getMessage()).append("\n");
                } catch (SQLException error) {
                    number = error.getErrorCode(); said.append(error.getMessage());
                }
                System.out.println(number + " " + Base64.getEncoder().encodeToString(said.toString().getBytes(StandardCharsets.UTF_8)));
            }
        }
    }
}
