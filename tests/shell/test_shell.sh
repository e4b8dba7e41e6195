#!/bin/bash
# Every shell script of the repository runs on a Mac: under its bash of 2007
# (3.2) and with BSD's tools. Three ways to know without one: ShellCheck; a list
# of what that bash and those tools have not; and the runner itself, run where
# the PATH has only what macOS has, with tools that refuse GNU's options.
# METTLE_BASH names a bash 3.2, if one is there, to run it with.
#
# Guards: every shell script: ShellCheck at its strictest (`.shellcheckrc` has
# the exceptions), nothing that bash 3.2 or BSD's tools lack; that the workflow
# calls what there is; tests/run where GNU's tools are missing; tests/limit.c;
# lines of code of at most 80 columns
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
cd "$here" || exit 1
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
number=0
ok() {
  number=$((number + 1))
  if [ "$2" = 0 ]; then
    echo "ok $number - $1"
  else
    echo "not ok $number - $1"
    [ ! -s "$work/said" ] || sed 's/^/# /' "$work/said"
  fi
  : >"$work/said"
}

# what is a script: by its first line; pty.sh is read by others
scripts() {
  { git ls-files -co --exclude-standard 2>/dev/null ||
    find . -type f ! -path './build/*' | sed 's|^\./||'; } |
    while IFS= read -r f; do
      [ -f "$f" ] || continue
      case $f in
        *.sh) echo "$f" ;;
        *.*) ;;
        *) head -1 "$f" 2>/dev/null | grep -aqE '^#!.*[/ ](ba)?sh( |$)' && echo "$f" ;;
      esac
    done
}
scripts >"$work/scripts"
[ "$(wc -l <"$work/scripts")" -gt 12 ]; ok "the scripts are found" $?

# ShellCheck takes half a second for each. make test gives it the scripts that
# the last commits or this work tree have changed, and all where the history is
# not there to ask.
to_check() {
  if [ "${METTLE_TESTS:-}" = all ] ||
    ! git diff --name-only HEAD~20 >"$work/changed" 2>/dev/null; then
    cat "$work/scripts"
  else
    git ls-files -o --exclude-standard >>"$work/changed"
    # what all others lean on is always among them
    printf '%s\n' scripts/deps tests/run tests/console/pty.sh >>"$work/changed"
    grep -xFf "$work/changed" "$work/scripts"
  fi
}

if command -v shellcheck >/dev/null; then
  to_check >"$work/checked"
  # .shellcheckrc says what is left out; a version that they were never shown
  # to may ask for more
  case $(shellcheck --version) in
    *"version: 0.9."*|*"version: 0.1"[01].*) level=style ;;
    *) level=error ;;
  esac
  tr '\n' '\0' <"$work/checked" |
    xargs -0 shellcheck -x -S "$level" -f gcc >"$work/warnings" 2>&1
  while IFS= read -r f; do
    ! grep -F "$f:" "$work/warnings" >"$work/said"; ok "ShellCheck: $f" $?
  done <"$work/checked"
  ! grep -vE '^[^:]+:[0-9]+:[0-9]+: ' "$work/warnings" >"$work/said"; ok "ShellCheck has read them all" $?
else
  number=$((number + 1)); echo "ok $number - ShellCheck # SKIP it is not installed"
fi

# name|pattern|what to write instead
cat >"$work/forbidden" <<'LIST'
mapfile|(^|[;&| ])(mapfile|readarray)( |$)|while read
associative arrays|(declare|local|typeset) -[a-zA-Z]*A|two lists
upper and lower case|[$][{][a-zA-Z_]+(\^|,)|tr
wait for any|wait -n|xargs -P
append both outputs|&>>|>>file 2>&1
pipe both outputs|[|]&|2>&1 and a pipe
coproc|(^|[;&| ])coproc |a FIFO
name references|(declare|local) -n|eval
printf into a variable of time|printf +'?%\(|date
negative substrings|[$][{][a-zA-Z_]+: -|expr
the last of a list|[$][{][a-zA-Z_]+\[-[0-9]+\]|a count
EPOCHREALTIME|EPOCH(REALTIME|SECONDS)|date
timeout|(^|[;&|( ])timeout (-|[0-9])|"$LIMIT", tests/limit.c
sed -i|sed ([^|]* )?-i( |$)|a file beside and mv
readlink -f|readlink -[a-z]*f|cd and pwd
realpath|(^|[;&|( ])realpath |cd and pwd
stat -c|stat (-L )?-c|wc, ls, test
nproc|(^|[;&|( ])nproc|getconf _NPROCESSORS_ONLN
date of nanoseconds|date [^|]*%[0-9]*N|the program's clock
grep -P|grep -[a-zA-Z]*P|grep -E
xargs -r|xargs ([^|]* )?-[a-z0-9]*r|a test before
find -printf|find .*-printf|a loop
tac|(^|[;&|( ])tac( |$)|sed
sha256sum|(^|[;&|( ])sha256sum |shasum -a 256 where it is not there
mktemp with a place|mktemp [^|;]*-p|TMPDIR
cp -a of links|cp -[a-zA-Z]*[lT]|plain cp
head or tail of negative counts|head -[nc] ?-[0-9]|sed
base64 -w|base64 [^|]*-w|tr
sort -V|sort -[a-zA-Z]*V|sort -t. -k
alternatives in a basic expression|(^|[;&|( ])(sed|grep)( -[a-zA-DF-Z]+)* ['"][^'"]*\\[|]|sed -E, grep -E
GNU's classes in an expression|(^|[;&|( ])(sed|grep)( -[a-zA-Z]+)* ['"][^'"]*\\[swbdSWB<>]|[[:space:]] and the like
ln -r|ln -[a-zA-Z]*r|a relative path
wc as a text, which BSD's writes with spaces before it|wc -[a-zA-Z]+[^|)]*\)"? !?=|-eq
wc as a text on the right|=[[:space:]]+"?[$]\(([^(].*)?wc -[a-zA-Z]+[^|)]*\)"?|-eq
wc into a variable|[a-zA-Z_]=[$]\(([^(].*)?wc -[a-zA-Z]+[^|)]*\)|$(($(wc)))
LIST
# Copies with lines of code alone, each where it was, a command over several
# lines in the first of them; one that asks both ways is right.
lines() {
  sed -E -e 's/^[[:space:]]*#.*//' -e 's/.*stat -f.*//' "$1" | awk '
    { text = text $0 }
    sub(/\\$/, " ", text) || text ~ /([|]|&&)[ \t]*$/ {
      below = below "\n"; next
    }
    { print text below; text = below = "" }
    END { if (text != "") print text }'
}
mkdir "$work/plain"
while IFS= read -r f; do
  # the list itself; what runs on Linux alone
  case $f in
    tests/shell/test_shell.sh|tests/shell/test_bundle.sh) continue ;;
    scripts/bundle|scripts/fresh) continue ;;
    packaging/install.sh|tests/shell/test_install.sh) continue ;;
    tests/aarch64/*|tests/macos/*) continue ;;
  esac
  mkdir -p "$work/plain/$(dirname "$f")"; lines "$f" >"$work/plain/$f"
done <"$work/scripts"
# and what Lua gives to a shell
{ git ls-files -co --exclude-standard '*.lua' 2>/dev/null ||
  find . -name '*.lua' ! -path './build/*'; } | while IFS= read -r f; do
  ! grep -qE 'popen|execute' "$f" || { mkdir -p "$work/plain/$(dirname "$f")"; sed -nE '/popen|execute/p' "$f" >"$work/plain/$f"; }
done
while IFS='|' read -r name rest; do
  instead=${rest##*|} pattern=${rest%|*}
  (cd "$work/plain" && grep -rnE -- "$pattern" .) |
    # deps asks which one there is
    case $name in sha256sum) grep -vE '^./scripts/deps|/test_deps_linux' ;; *) cat ;; esac \
      >"$work/said"
  [ ! -s "$work/said" ]; ok "not on a Mac: $name (instead: $instead)" $?
done <"$work/forbidden"
# the list can find something, also where it stands on the next line
printf 'x=1\ntimeout 5 true\nmapfile -t a <f\nsed -i -E s/a/b/ f\nsed "s/a\\|b//" f\n[ "$(wc -l <f)" = 2 ]\nn=$(cat f |\n  # both\n  wc -l)\n[ 2 = \\\n"$(wc -l <f)" ]\n' >"$work/bad.sh"
lines "$work/bad.sh" >"$work/bad"
found=0
while IFS='|' read -r name rest; do
  grep -qE -- "${rest%|*}" "$work/bad" && found=$((found + 1))
done <"$work/forbidden"
[ "$found" = 7 ]; ok "the list finds what it should" $?

# compared FILE…: what awk prints with a comparison in it that has no
# parentheses: a Mac's awk does not read such a program
compared() {
  awk '
    FNR == 1 { text = "" }
    /^[ \t]*#/ { next }
    { text = text $0 }
    sub(/\\$/, " ", text) || text ~ /,[ \t]*$/ { next }
    {
      line = text; text = ""
      gsub(/\\./, "", line); gsub(/"[^"]*"/, "", line)
      while (gsub(/[(][^()]*[)]/, "", line)) continue
      if (line ~ /(^|[{}; \t])printf?[ \t][^;{}()|&\047]*[=!<>]=/)
        print FILENAME ":" FNR ": " $0
    }' "$@"
}
cat >"$work/bad.awk" <<'A'
{ print (a == b), "a == b"; if (a == b) print a; x = a == b }
{ printf "%s %s\n", f(a),
    a == "(" ? 1 : \
    2 }
a == b { print a != b ? 1 : 2 }
A
[ "$(compared "$work/bad.awk" | cut -d: -f2 | tr '\n' ' ')" = "4 5 " ]
ok "comparisons in what awk prints are seen" $?
{ grep -v '^tests/shell/test_shell.sh$' "$work/scripts"
  find . -name '*.awk' ! -path './build/*'
} | while IFS= read -r f; do compared "$f"; done >"$work/said"
[ ! -s "$work/said" ]
ok "not on a Mac: a comparison in what awk prints (instead: parentheses)" $?

# A release has one version, which base/version.h names.
version=$(sed -n 's/^#define MT_VERSION "\(.*\)"/\1/p' base/version.h)
{ for place in "CHANGELOG.md:^## $version (" "README.md:^Mettle $version," "docs/bundle.md:mettle-$version-linux" \
    "editors/vscode/package.json:\"version\": \"$version\"" "include/mettle/mettle.h:\"$version\"" \
    "packaging/debian/changelog:^mettle ($version-" "packaging/homebrew/mettle.rb:/v$version.tar.gz"; do
    grep -qe "${place#*:}" "${place%%:*}" || echo "${place%%:*} does not name $version"
  done; } >"$work/said" 2>&1
[ -n "$version" ] && [ ! -s "$work/said" ]; ok "every file that names the version names $version" $?

# A Mac's make is 3.81: what came later, outside recipes
later='(^|[^!:])(!=|:::?=)|[$][(](file|guile) |^[.](ONESHELL|RECIPEPREFIX|SHELLFLAGS)|^(undefine|private|load) |^define .*='
makefiles=$(git ls-files Makefile '*.mk' 2>/dev/null || echo Makefile)
# shellcheck disable=SC2086  # names without spaces
! grep -nE "$later" $makefiles /dev/null | grep -vE '^[^:]+:[0-9]+:	' >"$work/said"; ok "nothing that make 3.81 has not" $?
for line in 'NAME != date' 'NAME ::= x' 'X := $(file <name)' '.ONESHELL:' \
  'undefine X' 'define X ='; do
  grep -qE "$later" <<<"$line" || echo "$line"
done >"$work/said"
[ ! -s "$work/said" ] && ! grep -qE "$later" <<<'CFLAGS := -DX=1 # and a == b'; ok "which would be seen" $?

# ------------------------------------------------- the runner, as on a Mac
# A folder is the whole PATH: macOS' tools, and no more. sed, grep and xargs
# refuse what BSD's do not have.
mkdir -p "$work/bin"
for t in bash sh env cat cp mv rm mkdir mktemp ls tr cut paste head tail wc \
  awk sort uniq basename dirname getconf \
         locale sleep kill ps od cmp diff find printf uname id tee touch chmod \
         ln date grep sed xargs tmux git seq yes expr; do
  path=$(command -v "$t") &&
    case $path in /*) ln -sf "$path" "$work/bin/$t" ;; esac
done
# refuses TOOL PATTERN: that tool, which ends if a word of its command line is
# like PATTERN
refuses() {
  local real; real=$(command -v "$1")
  rm -f "$work/bin/$1"
  { echo '#!/bin/sh'; echo 'for w in "$@"; do case $w in '"$2"') echo "'"$1"': illegal option: $w" >&2; exit 64 ;; esac; done'
    echo "exec $real \"\$@\""; } >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}
refuses sed '-i|--*|-r'
refuses grep '-P*|--*'
refuses xargs '-r|-d|--null|--max*|--no*'
[ -z "${METTLE_BASH:-}" ] || ln -sf "$METTLE_BASH" "$work/bin/bash"

# a build folder of its own, with three suites: one passes, one fails, one never
# ends
mkdir -p "$work/build/tests"
ln -s "$(cd "$(dirname "$LIMIT")" && pwd)/limit" "$work/build/tests/limit"
suite_of() { { echo "#!/bin/sh"; cat; } >"$1"; chmod +x "$1"; }
# it would precompile headers without a use
suite_of "$work/build/mettle" <<<'exit 0'
suite() { suite_of "$work/build/tests/$1"; }
suite test_passes <<<'echo "1..2"; echo "ok 1 - a"; echo "ok 2 - b # SKIP no GPU"'
suite test_cmocka <<<'echo 1..3; echo "# skip: no GPU & no tea"; echo "not ok 1 # SKIP c"; echo "# skip: no %s"; echo "ok 2 - d # SKIP"; echo "not ok 3 - e # SKIP"'
suite test_hangs <<<'echo "1..2"; echo "ok 1 - a"; sleep 600'
suite test_dies <<<'echo "1..3"; echo "ok 1 - a"; exit 3'
# tests/run takes a folder below this one
played=build/tests/played.$$
mkdir -p build/tests; ln -s "$work/build" "$played"; trap 'rm -rf "$work" "$played"' EXIT
suite test_cases <<'E'
case $METTLE_CASE in
  '') printf '1..2\nok 1 - a wasp\nok 2 - a bee\n' ;;
  bee) printf '1..1\nok 1 - a bee\n' ;;
  *) echo 1..0 ;;
esac
E
runner() { # WORD [CASE]: the last line of the runner, with those suites alone
  (PATH=$work/bin TEST_LIMIT=4 TEST_JOBS=3 bash tests/run "$played" "$@") \
    >"$work/said" 2>&1
  tail -1 "$work/said"
}
[ "$(runner no-such-suite)" = "0 passed, 0 failed" ] && grep -q "no suite has 'no-such-suite' in its name" "$work/said" && ! grep -q "unbound" "$work/said"; ok "a word that no suite has" $?
[ "$(runner c-test_cases)" = "2 passed, 0 failed" ] &&
  [ "$(runner c-test_cases bee)" = "1 passed, 0 failed" ]
ok "one case of a suite by its name" $?
[ "$(runner c-test_cases ant)" = "0 passed, 0 failed" ] &&
  grep -qF "no case of these 1 suites has 'ant' in its name" "$work/said"
ok "a case that no suite has" $?
[ "$(runner c-test_passes)" = "1 passed, 0 failed, 1 skipped" ]; ok "the runner, where GNU's tools are missing" $?
[ "$(runner c-test_cmocka)" = "0 passed, 0 failed, 3 skipped" ] && grep -q 'ok 1 - c # SKIP no GPU & no tea$' "$work/said" &&
  grep -q 'ok 2 - d # SKIP no %s$' "$work/said" && grep -q 'ok 3 - e # SKIP *$' "$work/said"; ok "cmocka's skips, with their reasons" $?
# locales SYSTEM-HAS EXPECTED: which one suites get; macOS has no C.UTF-8
suite test_locale <<<"echo \"\$LC_ALL\" >'$work/locale'; echo 1..1; echo 'ok 1 - a'"
locales() {
  rm -f "$work/bin/locale" "$work/locale"
  suite_of "$work/bin/locale" <<<"printf '%s\n' $1"
  [ "$(LC_ALL=C.UTF-8 runner c-test_locale)" = "1 passed, 0 failed" ] && echo "$1: $(cat "$work/locale"), not $2" >"$work/said" &&
    [ "$(cat "$work/locale")" = "$2" ]
}
locales "C POSIX de_DE.UTF-8 en_US.ISO8859-1 en_US.UTF-8" en_US.UTF-8; ok "a UTF-8 locale of those that macOS has" $?
locales "C C.utf8 POSIX" C.utf8 && locales "C POSIX sv_SE" C; ok "the one of Linux; where there is none, plain C" $?
rm "$work/build/tests/test_locale"
(PATH=$work/bin TEST_LIMIT=10 bash tests/run "$played" c-test_hangs) \
  >"$work/other" 2>&1 & other=$!
for _ in $(seq 600); do [ -z "$(find "$work/build" -name c-test_hangs.tap -size +0)" ] || break; sleep 0.1; done
[ "$(runner c-test_d)" = "1 passed, 1 failed" ]; ok "a suite that dies has failed" $?
wait "$other"; grep -qE '^c-test_hangs +1 passed +1 failed' "$work/other" && [ "$(tail -1 "$work/other")" = "1 passed, 1 failed" ]; ok "a suite that never ends is ended, while another run goes on" $?
[ "$(runner c-test_)" = "5 passed, 2 failed, 4 skipped" ]; ok "several at once" $?
suite test_twice <<<"echo 1..1; if [ -f '$work/once' ]; then echo 'ok 1 - a'; else touch '$work/once'; echo 'not ok 1 - a'; fi"
[ "$(runner c-test_twice)" = "0 passed, 1 failed" ] && rm "$work/once" && [ "$(TEST_AGAIN=1 runner c-test_twice)" = "1 passed, 0 failed" ] &&
  grep -q 'c-test_twice failed beside other suites' "$work/said"; ok "a suite that fails beside others runs again, alone, and it is said" $?
[ "$(TEST_AGAIN=1 runner c-test_dies)" = "1 passed, 1 failed" ]; ok "one that fails alone, too, has failed" $?
[ "$(TEST_AGAIN=1 runner c-test_)" = "6 passed, 2 failed, 4 skipped" ] && ! grep -q 'runs once more' "$work/said"; ok "where more than a few fail, none runs again" $?
[ "$(PATH=$work/bin bash -c 'command -v timeout')" = "" ]; ok "there was no timeout there" $?

# ------------------------------------------------------------ tests/limit.c
"$LIMIT" 60 sh -c 'exit 7'; [ $? = 7 ]; ok "limit: the command's own status" $?
"$LIMIT" 1 sleep 100; [ $? = 124 ]; ok "limit: 124 when time is up" $?
"$LIMIT" 60 sh -c 'kill -9 $$'; [ $? = 137 ]; ok "limit: what a signal ended" $?
"$LIMIT" -t "$work/time" 60 sh -c 'exit 7'; [ $? = 7 ] && grep -qE '^[0-9]+\.[0-9] [0-9]+\.[0-9]$' "$work/time"; ok "limit: what it took" $?
"$LIMIT" 60 "$work/none" 2>/dev/null; [ $? = 127 ]; ok "limit: what is not there" $?
# SIGUSR1: where this runs in the background, SIGINT is ignored and no trap sees
# it
asked() { "$LIMIT" -s "$(kill -l USR1)" "$1" sh -c 'trap "echo asked; exit 0" USR1; while :; do sleep 0.1; done' >"$work/said"; [ "$(cat "$work/said")" = asked ]; }
asked 1 || asked 20; ok "limit: another signal" $? # a busy machine needs more than a second to begin
"$LIMIT" 1 sh -c 'trap "" TERM; (sleep "$1"; echo late >"$0") & while :; do sleep 0.2; done' "$work/late" "30.0$$"; [ $? = 124 ]; ok "limit: who does not listen is killed" $?
for _ in $(seq 600); do # a busy machine needs a while to end it
  pgrep -f "^sleep 30[.]0$$\$" >/dev/null || break
  sleep 0.2
done
! pgrep -f "^sleep 30[.]0$$\$" >/dev/null; ok "limit: and what it had started" $?

# Apple's headers call these deprecated: a warning, which CI=1 makes an error
deprecated='(^|[^a-zA-Z_])(v?sprintf|tmpnam|tempnam|mktemp)[(]'
echo 'sprintf(name, "x");' | grep -qE "$deprecated" && ! echo 'snprintf(name, 2, "x");' | grep -qE "$deprecated"; ok "calls that Apple's headers refuse are seen" $?
! find base cpu devices jupyter lua msl pictures repl window tests/c \( \
  -name '*.[ch]' -o -name '*.cpp' \) -exec grep -nE \
  "$deprecated" /dev/null {} + >"$work/said"
ok "not on a Mac: sprintf, tmpnam (instead: snprintf, mkstemp)" $?

# Lines of code have at most 80 columns (scripts/columns.lua), but for
# kernels that stand for what people write: of tests/msl, zoo, random.
columns() {
  "${METTLE:-build/mettle}" scripts/columns.lua "$@" >"$work/said"
}
x41=$(printf '%041d' 0)
printf '/* %s\n** %s */\n' "$(printf '%077d' 0)" \
  "$(printf '%074d' 0 | sed 's/0/é/g')" >"$work/fits.c"
printf '/* %s */\n' "$(printf '%075d' 0)" >"$work/long.c"
columns "$work/fits.c"; ok "80 columns fit, whatever their bytes" $?
! columns "$work/long.c"; ok "81 columns are too many" $?
printf 'f("%s %s")\ng [=[%s %s [[a]]\n%s%s]=]\n' \
  "$x41" "$x41" "$x41" "$x41" "$x41" "$x41" >"$work/fits.lua"
printf 'g [=[a]=]\nreturn f(%s, %s)\n' "$x41" "$x41" >"$work/long.lua"
columns "$work/fits.lua"; ok "Lua: but for a long string" $?
! columns --strings "$work/fits.lua" && grep -q 'fits.lua:1: 88 columns' "$work/said"
ok "lua/: for none" $?
! columns "$work/long.lua" && grep -q 'long.lua:2: 94 columns' "$work/said"
ok "Lua: not behind it" $?
printf "f '%s %s'\ng '%s\n%s %s' <<E\n%s %s\nE\n" "$x41" "$x41" "$x41" \
  "$x41" "$x41" "$x41" "$x41" >"$work/fits.sh"
{ cat "$work/fits.sh"; echo "f $x41 $x41"; } >"$work/long.sh"
columns "$work/fits.sh"; ok "shell: but for quotes and here-documents" $?
! columns "$work/long.sh" && grep -q 'long.sh:6: 85 columns' "$work/said"
ok "shell: not behind them" $?
w118=$(printf '%0118d' 0)
printf 'a %s\n| %s %s |\nalso: a, %s\n[%s a](b)\n```text\n%s %s\n```\n' \
  "$w118" "$w118" "$w118" "$w118" "$w118" "$w118" "$w118" >"$work/fits.md"
{ cat "$work/fits.md"; echo "a $w118 b"; } >"$work/long.md"
columns "$work/fits.md"; ok "Markdown: 120 columns, but for tables and code" $?
! columns "$work/long.md" && grep -q 'long.md:8: 122 columns' "$work/said"
ok "Markdown: not after them" $?
find . -name '*.md' ! -path './build/*' ! -path './tests/tinygrad/*' |
  tr '\n' '\0' | xargs -0 "${METTLE:-build/mettle}" scripts/columns.lua \
  >"$work/said"
ok "no line of Markdown is longer than 120 columns" $?
{
  find msl/include -type f
  find base bench cpu demos devices embed include jupyter kernels lessons lua \
    msl packaging pictures repl scripts site tests window \
    \( -name '*.[ch]' -o -name '*.[ch]pp' -o -name '*.lua' \) \
    ! -path 'tests/msl/*' ! -path 'tests/tinygrad/*'
  find bench demos kernels lessons tests/strategy -name '*.metal' -o \
    -name '*.c[lu]'
  find scripts -name '*.awk'
  find packaging python tests -name '*.py' ! -path 'tests/tinygrad/*'
} >"$work/code"
[ "$(wc -l <"$work/code")" -gt 400 ]; ok "the sources are found" $?
{ cat "$work/code"; grep -v '^tests/tinygrad/' "$work/scripts"; echo Makefile; } |
  tr '\n' '\0' | xargs -0 "${METTLE:-build/mettle}" scripts/columns.lua \
  >"$work/said"
ok "no line is longer than 80 columns" $?
grep '^lua/.*\.lua$' "$work/code" | tr '\n' '\0' |
  xargs -0 "${METTLE:-build/mettle}" scripts/columns.lua --strings >"$work/said"
ok "no line of lua/ is, with its strings" $?
grep -v '\.lua$' "$work/code" | tr '\n' '\0' |
  xargs -0 grep -nE '^[*] [[:alnum:]]' >"$work/said"; [ ! -s "$work/said" ]
ok "no comment was broken into lines by a tool" $?
# a file that was renamed has its new name in its head
cat >"$work/heads.awk" <<'A'
FNR <= 4 && match($0, /^(\*\*|--) [a-zA-Z_0-9.\/-]+\.(c|h|cpp|hpp|lua)( -|:)/) {
  name = substr($0, RSTART, RLENGTH); file = FILENAME
  sub(/^[^ ]+ /, "", name); sub(/( -|:)$/, "", name); sub(/.*\//, "", name)
  sub(/.*\//, "", file)
  if (name != file) print FILENAME ": its head says " name
}
A
printf '/*\n** old.c - a file\n*/\n' >"$work/new.c"
printf -- '-- lua/old.lua: a module\n' >"$work/old.lua"
[ "$(awk -f "$work/heads.awk" "$work/new.c" "$work/old.lua")" = "$work/new.c: its head says old.c" ]
ok "a head with another file's name is seen" $?
tr '\n' '\0' <"$work/code" | xargs -0 awk -f "$work/heads.awk" >"$work/said"
[ ! -s "$work/said" ]; ok "every head has its file's name" $?
# (they are errors in a CI with Homebrew's or Debian testing's)
grep '^tests/c/' "$work/code" | tr '\n' '\0' |
  xargs -0 grep -nE 'assert_(not_)?in_(range|set)' >"$work/said"
[ ! -s "$work/said" ]; ok "no suite uses what cmocka 2 deprecates" $?
mkdir -p "$work/bin"
printf '#!/bin/sh\necho requires the snap >&2; exit 1\n' >"$work/bin/chromium"
printf '#!/bin/sh\necho Chromium 140\n' >"$work/bin/chromium-browser"
chmod +x "$work"/bin/*
said=$(PATH=$work/bin:$PATH bash -c \
  '. tests/needs.sh; needs_browser pages; echo "$browser"')
[ "$said" = chromium-browser ]; ok "a browser that does not start is none" $?
grep '^tests/c/' "$work/code" | grep -v '/skip\.h$' | tr '\n' '\0' |
  xargs -0 grep -nE '(^|[^_[:alnum:]])skip[(][)]' >"$work/said"
[ ! -s "$work/said" ]; ok "no case is skipped without a reason: skip_because" $?
# tests/run looks for these words in a suite's first lines, each by itself
for f in tests/*/test_*.lua tests/lua/*/test_*.lua; do
  head -6 "$f" | sed 's/^-- *//' | tr '\n' ' ' | grep -q "of no device" &&
    ! head -5 "$f" | grep -q "of no device" && echo "$f"
done >"$work/said"
[ ! -s "$work/said" ]; ok "a suite that is of no device says so in one line" $?

echo "1..$number"
