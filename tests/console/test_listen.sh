#!/bin/bash
# test_listen.sh - everything that takes long ends by the first Ctrl-C.
#
# Each case would go on for ever or for minutes. It says when it begins, gets
# one SIGINT and has ten seconds: an idle machine needs a moment.
#
# Guards: repl/lua/interruptible.c, lua/bind/core/pattern.c,
# lua/bind/core/shell.c, base/files/user_file.c and all that takes long: the
# first Ctrl-C ends it
: "${METTLE:=build/mettle}"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkfifo "$dir/pipe" "$dir/script"
count=0 failed=0 names=() pids=()

# listens NAME ARGUMENTS…: in the background; they all run at once
listens() {
  local name=$1 n=${#names[@]}; shift
  names+=("$name")
  (
    "$METTLE" "$@" >"$dir/out$n" 2>"$dir/err$n" </dev/null &
    pid=$!
    case $1 in # a script that is never read to its end says nothing
      -e)
        for _ in $(seq 1200); do
          grep -q begins "$dir/out$n" && break; sleep 0.1
        done
        ;;
      *) sleep 3 ;;
    esac
    sleep 0.5
    kill -INT $pid
    for _ in $(seq 1200); do kill -0 $pid 2>/dev/null || break; sleep 0.1; done
    if kill -0 $pid 2>/dev/null; then
      kill -9 $pid
      echo "went on" >"$dir/end$n"
    else
      wait $pid
      echo "$?" >"$dir/end$n"
    fi
  ) 2>/dev/null &
  pids+=($!)
}
begins='io.stdout:write("begins\n") io.stdout:flush() '
lua() { local name=$1; shift; listens "$name" -e "$begins$*"; }

lua "a pattern with many repetitions" '(("a"):rep(30000)):find((".-"):rep(12) .. "b")'
lua "a plain search" 'local a = ("a"):rep(2e8) a:find(("a"):rep(1e8) .. "b", 1, true)'
lua "match" '(("a"):rep(30000)):match(("a*"):rep(12) .. "b")'
lua "gsub" '(("a"):rep(30000)):gsub((".-"):rep(12) .. "b", "")'
lua "gmatch" 'for _ in (("a"):rep(30000)):gmatch((".-"):rep(12) .. "b") do end'
lua "a finaliser that never ends" 'setmetatable({}, {__gc = function() while true do end end}) collectgarbage()'
lua "finalisers that never end, many of them" 'for i = 1, 100 do setmetatable({}, {__gc = function() while true do end end}) end collectgarbage()'
lua "a finaliser when the program ends" 'held = setmetatable({}, {__gc = function() while true do end end})'
lua "all of /dev/zero" 'io.open("/dev/zero"):read "a"'
lua "a kernel from a pipe without a writer" "gpu.kernel '$dir/script'"
lua "b:table() of many" 'gpu.buffer("uchar", 200000000):table()'
lua "a command" 'os.execute "sleep 1000"'
lua "a command that takes no notice" "os.execute 'trap \"\" INT TERM; sleep 1000; sleep 1000'"
lua "one command after another" 'while true do os.execute "sleep 1" end'
lua "what a command says" 'io.popen("sleep 1000"):read "a"'
lua "a command that is told something" 'local p = io.popen("sleep 1000", "w") while true do p:write(("x"):rep(65536)) end'
lua "the end of a command" 'io.popen("sleep 1000"):close()'
lua "a command that nobody refers to" 'io.popen "sleep 1000" collectgarbage()'
lua "a command when the program ends" 'held = io.popen "sleep 1000"'
listens "b:save into a pipe that nobody empties" -e "os.execute 'sleep 15 <$dir/pipe >/dev/null &' os.execute 'sleep 0.2' $begins gpu.buffer(100000000):save '$dir/pipe'"
lua "b:fill by a function" 'gpu.buffer(100000000):fill(function(i) return i end)'
lua "values from a table that has many" 'local t = {} for i = 1, 3e6 do t[i] = i end while true do gpu.buffer(t) end'
listens "a script that has no end" /dev/zero
listens "a script from a pipe without a writer" "$dir/script"
lua "a launch in a finaliser" 'local k, b = gpu.kernel "copy", gpu.buffer(1000) held = setmetatable({}, {__gc = function() while true do k{b, b:copy(), 1000, grid = 1000} end end}) held = nil collectgarbage()'

wait "${pids[@]}"
for n in "${!names[@]}"; do
  count=$((count + 1))
  case $(cat "$dir/end$n" 2>/dev/null) in
    "went on"|"") failed=$((failed + 1)); echo "not ok $count - ${names[$n]}"; sed 's/^/# /' "$dir/out$n" "$dir/err$n" | head -5 ;;
    *) if grep -q "does not stop" "$dir/err$n"; then failed=$((failed + 1)); echo "not ok $count - ${names[$n]}"
       else echo "ok $count - ${names[$n]}"; fi ;;
  esac
done
echo "1..$count"
[ "$failed" = 0 ]
