/*
name: transactions_xstream
like: transactions
instead:
  10.2 to 18c -> 12.1 and later
  18/refrn/V-STREAMS_ -> 19/refrn/V-XSTREAM_
  flow.streams_type -> flow.component_type
  flow.streams_name -> flow.component_name
  v$streams_ -> v$xstream_
*/
