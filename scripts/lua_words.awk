# lua_words.awk - strings of C and C++ that say what to write in Lua: a call of
# the module gpu, a method, a call with a table, an option. Comments do not
# count, and a formatted number's or a key's ':' neither.
FNR == 1 { comment = 0 }
/^[[:space:]]*#[[:space:]]*include/ { next }
{
  line = $0; said = ""
  while (line != "") {
    if (comment) {
      if (!(i = index(line, "*/"))) break
      line = substr(line, i + 2); comment = 0
    } else if (line ~ /^\/\//) {
      break
    } else if (line ~ /^\/\*/) {
      comment = 1; line = substr(line, 3)
    } else if (match(line, /^"([^"\\]|\\.)*"/)) {
      said = said substr(line, 2, RLENGTH - 2) "\n"
      line = substr(line, RLENGTH + 1)
    } else if (match(line, /^'([^'\\]|\\.)+'/)) {
      line = substr(line, RLENGTH + 1)
    } else { # to what can be the next string or comment
      match(line, /^.[^"'\/]*/); line = substr(line, RLENGTH + 1)
    }
  }
  if (match(said, /(^|[^a-zA-Z0-9_.])gpu\.[a-z]+/) ||
      match(said, /(^|[^a-zA-Z0-9_:>])[a-z]:[a-z_]+\(/) ||
      match(said, /[a-z]\{(…|\.\.\.)\}/) ||
      match(said, /[a-z] = \{(…|\.\.\.|\\"|[a-z]+)?\}?/) ||
      match(said, /(^|[^a-z_])(schedules|outputs|repeats|grid) = [0-9]/))
    print FILENAME ":" FNR ": speaks Lua: " substr(said, RSTART, RLENGTH)
}
