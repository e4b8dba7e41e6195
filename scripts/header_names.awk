# header_names.awk - names in headers that lack their prefix: types, functions
# and variables mt_, enumerators and macros MT_; and types and macros that two
# headers define. One line for each.
#
#   awk -f scripts/header_names.awk FILE...
#
# The idea: without comments and lines of the preprocessor a header is a list of
# declarations. Each is read up to its semicolon, or to the brace that ends a
# function; what stands in braces is left out, but for an enum's.

function bare(kind, name, prefix) {
  print file ": the " kind " " name " has no prefix " prefix
}

# A call of a macro may stand in place of a declaration.
function check(kind, name) {
  if (name != "" && name !~ /^(mt_|mettle_|MT_)/) bare(kind, name, "mt_")
}

function define(kind, name, where) {
  if ((name in home) && home[name] != file)
    print where ": the " kind " " name " is defined in " home[name] " too"
  home[name] = file
}

# without attributes, whose brackets are nested
function plain(s,  at, i, depth, c) {
  while ((at = index(s, "__attribute__")) > 0) {
    i = at + 13; depth = 0
    do {
      c = substr(s, i++, 1); depth += (c == "(") - (c == ")")
    } while (c != "" && (depth || c == " "))
    s = substr(s, 1, at - 1) substr(s, i)
  }
  return s
}

# the last word of 's', and the one before its first bracket
function last_word(s) {
  gsub(/\[[^]]*\]/, "", s); sub(/ *=.*/, "", s)
  sub(/ *:.*/, "", s); sub(/[^A-Za-z0-9_]*$/, "", s)
  sub(/.*[^A-Za-z0-9_]/, "", s)
  return s
}
function called(s) { sub(/ *\(.*/, "", s); return last_word(s) }

function tag(s,  w) {
  if (match(s, /(struct|union|enum) +[A-Za-z_][A-Za-z0-9_]* *\{\}/)) {
    w = substr(s, RSTART, RLENGTH); sub(/ *\{\}$/, "", w); sub(/.* /, "", w)
    check("type", w)
    define("type", w, file)
  }
}

# one declaration, blanks and what is in braces reduced
function declaration(s,  n) {
  gsub(/[ \t\n]+/, " ", s); sub(/^ /, "", s); sub(/ $/, "", s)
  s = plain(s)
  gsub(/_Static_assert ?\(.*/, "", s)
  if (s == "") return
  tag(s)
  if (s ~ /^typedef /) {
    n = s
    if (match(s, /\( ?\* ?[A-Za-z_][A-Za-z0-9_]*/)) {
      n = substr(s, RSTART, RLENGTH); check("type", last_word(n))
    } else check("type", s ~ /\(/ ? called(s) : last_word(s))
  } else if (match(s, /^[^(]*\( ?\* ?[A-Za-z_][A-Za-z0-9_]*/))
    check("function", last_word(substr(s, 1, RLENGTH)))
  else if (s ~ /\(/) check("function", called(s))
  else if (s !~ /^(struct|union|enum)( [A-Za-z_][A-Za-z0-9_]*)?( ?\{\})?$/)
    check("variable", last_word(s))
}

function enumerators(s,  n, i, item) {
  n = split(s, item, ",")
  for (i = 1; i <= n; i++) {
    gsub(/[ \t\n]+/, " ", item[i]); sub(/^ /, "", item[i])
    if (item[i] !~ /^[A-Za-z_]/ || item[i] ~ /^(MT_|METTLE_|__MT_)/) continue
    sub(/[^A-Za-z0-9_].*/, "", item[i])
    bare("constant", item[i], "MT_")
  }
}

function finish(  rest, at, c, depth, head, body) {
  rest = text; text = ""
  while ((at = index(rest, "/*")) > 0) {
    head = substr(rest, 1, at - 1); rest = substr(rest, at + 2)
    at = index(rest, "*/"); text = text head " "
    rest = at ? substr(rest, at + 2) : ""
  }
  rest = text rest; text = ""; head = ""; body = ""; depth = 0
  gsub(/\\\n/, " ", rest)
  gsub(/(^|\n)[ \t]*#[^\n]*/, "\n", rest)
  while (match(rest, /[{};]/)) {
    if (depth == 0) head = head substr(rest, 1, RSTART - 1)
    else if (depth == 1) body = body substr(rest, 1, RSTART - 1)
    c = substr(rest, RSTART, 1); rest = substr(rest, RSTART + 1)
    if (c == "{") {
      if (depth == 0 && head ~ /extern[ \n]+"C"[ \n]*$/) { head = ""; continue }
      if (depth++ == 0) body = ""
    } else if (c == "}") {
      if (depth == 0) continue # of extern "C"
      if (--depth) continue
      if (head ~ /(^|[^A-Za-z0-9_])enum([^A-Za-z0-9_]|$)/ && head !~ /\(/)
        enumerators(body)
      head = head "{}"
      if (head ~ /\)[ \n]*\{\}$/) { declaration(head); head = "" }
    } else if (depth == 0) { declaration(head); head = "" }
  }
}

FNR == 1 { if (file) finish(); file = FILENAME; text = "" }
{ text = text $0 "\n" }
/^[ \t]*# *define +[A-Za-z_]/ && !/^[ \t]*# *define +X\(/ {
  n = $0; sub(/^[ \t]*# *define +/, "", n); sub(/[^A-Za-z0-9_].*/, "", n)
  if (n !~ /^(MT_|mt_|METTLE_)/)
    print FILENAME ":" FNR ": the macro " n " has no prefix MT_"
  define("macro", n, FILENAME ":" FNR)
}
END { if (file) finish() }
