/*
name: apply_status_xstream
like: apply_status
instead:
  10.2 and later -> 12.1 and later
  V-STREAMS_ -> V-XSTREAM_
  v$streams_ -> v$xstream_
*/
