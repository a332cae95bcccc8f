/*
name: sample_xstream
like: sample_goldengate
instead:
  integrated Extract and Replicat -> XStream In and Out
  'GoldenGate%' -> 'XStream%'
  v$goldengate_ -> v$xstream_
  v$gg_ -> v$xstream_
  V-GOLDENGATE_ -> V-XSTREAM_
  V-GG_ -> V-XSTREAM_
*/
