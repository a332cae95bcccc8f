/*
name: apply_status_goldengate
like: apply_status
instead:
  10.2 and later -> 12.1 and later
  V-STREAMS_ -> V-GG_
  v$streams_ -> v$gg_
*/
