/*
name: apply_sessions_goldengate
like: apply_sessions
instead:
  10.2 and later -> 12.1 and later
  V-STREAMS_ -> V-GG_
  v$streams_ -> v$gg_
*/
