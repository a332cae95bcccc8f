/*
name: capture_run_xstream
like: capture_run
instead:
  10.2 to 18c -> 12.1 and later
  18/refrn/V-STREAMS_ -> 19/refrn/V-XSTREAM_
  v$streams_ -> v$xstream_
*/
