# crash.awk - of a Mac's crash report (an .ips file) what tells the fault: the
# exception, what the libraries said, and the frames of the thread that failed
# with their images.
#
#   awk -f scripts/crash.awk ~/Library/Logs/DiagnosticReports/mettle-….ips
#
# The file is one line of JSON, then an object with a line for each of its
# keys; all threads are one long line. Keys that are not named here hold
# identifiers and folders of the Mac's owner, and are left out.

# The text or number of "key" in s; "" if it has none.
function value(s, key) {
  if (!match(s, "\"" key "\" *: *(\"[^\"]*\"|[-0-9.]+)")) return ""
  s = substr(s, RSTART, RLENGTH)
  sub(/^"[^"]*" *: */, "", s)
  gsub(/"/, "", s)
  return s
}

# (a Mac's awk takes no comparison in what is printed)
function frame(n, piece) {
  symbol = value(piece, "symbol")
  if (symbol != "")
    symbol = "  " symbol " + " value(piece, "symbolLocation")
  printf "  %2d  %s + %d%s\n", n, image[value(piece, "imageIndex")],
    piece + 0, symbol
}

{ gsub(/\\\//, "/") }
NR == 1 {
  print value($0, "app_name") ", " value($0, "os_version") ", " \
    value($0, "timestamp")
  next
}
/^ *"(modelCode|cpuType|translated|exception|termination|faultingThread)" *:/ ||
/^ *"(asi|ktriageinfo|os_fault|vmRegionInfo)" *:/ { print substr($0, 1, 1200) }
{ all = all $0 }

END {
  at = match(all, /"usedImages" *:/)
  if (at) {
    count = split(substr(all, at), part, /"source" *: */)
    for (i = 2; i <= count; i++) image[i - 2] = value(part[i], "name")
  }
  if (!match(all, /"triggered" *: *true/)) exit
  rest = substr(all, RSTART)
  count = split(rest, part, /[{] *"imageOffset" *: */)
  print "thread " value(part[1], "name") " " value(part[1], "queue")
  for (i = 2; i <= count && i < 42; i++) {
    frame(i - 2, part[i])
    if (part[i] ~ /\] *}/) exit # its frames end here
  }
}
