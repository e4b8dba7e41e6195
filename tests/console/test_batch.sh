#!/bin/bash
# test_batch.sh - the program without a terminal: files, -e, standard input,
# options, exit statuses, and no escape sequences in anything.
#
# Guards: repl/ without a terminal: files, -e, standard input, options, exit
# statuses, standard files that are closed, doctor, devices; repl/{main,
# options}.c, repl/lua/run.c, repl/commands/{devices, doctor}.c
set -u
METTLE=${METTLE:-$PWD/build/mettle}
work=$(mktemp -d)
export XDG_STATE_HOME=${XDG_STATE_HOME:-$work/state}
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

count=0 failed=0
# run ARGS...: leaves $out, $err and $status
run() {
  "$METTLE" "$@" >out 2>err </dev/null; status=$?; out=$(cat out) err=$(cat err)
}
run_in() {
  local input=$1
  shift
  printf '%s' "$input" | "$METTLE" "$@" >out 2>err
  status=$?; out=$(cat out) err=$(cat err)
}
check() {
  local name=$1; shift
  count=$((count + 1))
  if "$@"; then echo "ok $count - $name"; else
    failed=$((failed + 1))
    echo "not ok $count - $name"
    printf '# status %s\n# out: %s\n# err: %s\n' "$status" "$(head -c 400 out)" "$(head -c 400 err)"
  fi
}
is() { [ "$1" = "$2" ]; }
has() { case $1 in *"$2"*) true ;; *) false ;; esac; }
lines() { [ "$(printf '%s\n' "$1" | wc -l)" -eq "$2" ]; }

printf 'print(#arg, arg[0], ...)\nreturn 5\n' >args.lua
run args.lua a 'b c';       check "a file gets its arguments" is "$out" "2	args.lua	a	b c"
                            check "and its result is not printed" is "$status" 0
run -- args.lua -e;         check "what stands behind the file is the file's" is "$out" "1	args.lua	-e"
printf '#!/usr/bin/env mettle\nerror "here"\n' >bang.lua
run bang.lua;               check "a first line with #! is passed over, and lines still count" has "$err" "bang.lua:2: here"
                            check "an error is exit status 1" is "$status" 1
printf 'local function f(t)\n  return t.a.b\nend\n\nf {}\n' >deep.lua
run deep.lua;               check "an error in a file shows its line" has "$err" "2 |   return t.a.b"
                            check "and who called" has "$err" "called from deep.lua:5: f {}"
                            check "and no C" eval '! has "$err" "[C]"'
long='sentence '$(printf 'word %.0s' $(seq 60))
printf 'error("%s", 0)\n' "$long" >long.lua
run long.lua;               check "a long error is one line where no terminal is" is "$(head -n 1 err)" "mettle: $long"
printf 'x = = 1\n' >syntax.lua
run syntax.lua;             check "a syntax error shows its line" has "$err" "1 | x = = 1"
run missing.lua;            check "a missing file is one sentence" is "$err" "mettle: no file missing.lua"
                            check "with status 2" is "$status" 2
mkdir -p folder; run folder; check "a folder is not run" is "$status" 2
run doctro;                 check "a mistyped command is recognised" has "$err" 'mettle doctor'

run -e 'print(1) print(2)';  check "-e runs code" is "$out" "1
2"
run -e '20 + 1';            check "-e prints a bare expression" is "$out" "21"
run -e 's = "a; b"; #s';    check "and one after statements and a semicolon" is "$out" "4"
run -e 'for i = 1, 3 do print(i); i end'; check "but none inside a loop" has "$err" "syntax error near 'end'"
run -e 'a = 1' -e 'print(a + 1)'; check "-e may be repeated" is "$out" "2"
run -e 'a = 5' args.lua x;  check "-e, then a file" is "$out" "1	args.lua	x"
run -e 'x = ';              check "-e with half a statement is an error" is "$status" 1
                            check "in one line" lines "$err" 1
run -e;                     check "-e without code says so" has "$err" "-e needs code"
run -e 'error(setmetatable({}, {__tostring = function() return "mine" end}))'
                            check "an error value speaks for itself" is "$err" "mettle: mine"
run -e 'error()';           check "an error without a value" is "$status" 1
cat >co.lua <<'LUA'
local gen = coroutine.wrap(function(a) local b = coroutine.yield(a + 1) coroutine.yield(b * 2) return "end" end)
print(gen(1), gen(10), gen())
print(pcall(gen))
local f = coroutine.wrap(function()
  local x <close> = setmetatable({}, { __close = function() io.write "closed " end })
  error("inside", 0)
end)
print(pcall(f))
local co = coroutine.create(function(...) return select("#", ...), coroutine.isyieldable() end)
print(coroutine.resume(co, nil, nil))
print(coroutine.resume(co))
print(pcall(coroutine.resume, 5))
print(pcall(coroutine.wrap(function() error({ code = 1 }) end)))
LUA
run co.lua
check "coroutines are Lua's own" eval '[ "$(sed "s/table: .*/table/;s/co.lua:[0-9]*: //g;s/(.*//" out)" = "2	20	end
false	cannot resume dead coroutine
closed false	inside
true	2	true
false	cannot resume dead coroutine
false	bad argument #1 to '"'coroutine.resume'"' 
false	table" ]'
run -e 'prnt(1)';           check "a mistyped global has a suggestion" has "$err" "did you mean print?"
run -e 'gpu.bufer(1)';      check "a mistyped field too" has "$err" "did you mean gpu.buffer?"
run -e 'gpu.zeros(3)';      check "what others call it leads to our name" has "$err" "here it is gpu.buffer"
run -e 'gpu.buffer(3, "int")'; check "a size that is no number says the order" has "$err" "the type first"
run -e 'xyzzy.plugh()';     check "but not a name like no other" eval '! has "$err" "did you mean"'
run -e 'os.exit(7)';        check "os.exit has its status" is "$status" 7

run_in 'print("from stdin")
'; check "standard input is run" is "$out" "from stdin"
run_in 'for i = 1, 3 do
  io.write(i)
end
local x = 4
print(x)'; check "as one chunk" is "$out" "1234"
run_in '1 + 1
'; check "a bare expression prints there too" is "$out" "2"
run_in 'print(1)
error("bad")
print(2)'; check "an error there is exit status 1" is "$status" 1
check "and stops" is "$out" "1"
check "and has no prompt" eval '! has "$out$err" "mettle>"'
printf 'skip\nprint("rest")\n' >rest.txt
{ read -r _; "$METTLE" >out 2>err; status=$?; out=$(cat out); } <rest.txt
check "standard input is read from where it stands" is "$out" "rest"
run_in '' ; check "nothing to run is fine" is "$status" 0
run_in 'print(...)' - a b;  check "- is standard input, with arguments" is "$out" "a	b"
run_in 'x = 3
x + 1
nope.nope
"still here"
' -i; check "-i goes on line by line" has "$out" "still here"
check "and prints values" has "$out" "4"
check "and leaves with status 0" is "$status" 0
run_in 'print(v)
' -i -e 'v = "kept"'; check "-i after -e has its variables" has "$out" "kept"

printf 'k = [[\nkernel void f(device float *a [[buffer(0)]]) {\n}\n]]\n' >trap.lua
run trap.lua;               check "[[ ... [[buffer(0)]] in a file is explained" has "$err" "trap.lua:2: the string that starts with [[ ends at the ]] of [[buffer(0)]]: write [=[ ... ]=] around a kernel"
                            check "with status 1" is "$status" 1
run -e 'dofile "trap.lua"';  check "and in one that dofile runs" has "$err" "write [=[ ... ]=]"
run -e 'require "trap"';    check "or require" has "$err" "write [=[ ... ]=]"
printf 'kernel void f(device float *a) {}\n' >msl.lua
run msl.lua;                check "MSL in place of Lua is recognised" has "$err" "this is MSL, not Lua"
printf 'k = [[kernel void f(uint i [[thread_position_in_grid]]\nprint("ran", #k)\n' >parses.lua
run parses.lua
check "also where it parses" has "$err" "write [=[ ... ]=]"
                            check "and then it runs" has "$out" "ran"
printf -- '--[[\nkernel void f(device float *a [[buffer(0)]]) {}\n]]\nprint(1)\n' >comment.lua
run comment.lua;            check "a comment has the same trap" has "$err" "write --[=[ ... ]=]"
run -e 'k = [[kernel void f(device float *a [[buffer(0)]]) {}]]'
                            check "and -e" has "$err" "write [=[ ... ]=]"
printf 'gpu.kernel [=[\nkernel void f(device float *a [[buffer(0)], uint i [[thread_position_in_grid]]) {}\n]=]\n' >closed.lua
run closed.lua
if has "$err" "needs LLVM"; then count=$((count + 1)); echo "ok $count - [[buffer(0)] in [=[ ]=] # SKIP this build has no LLVM"
else                        check "[[buffer(0)] in [=[ ]=] is the compiler's to tell" has "$err" "program_source:1:43: error: expected ']'"
fi
printf 'k = [=[\nkernel void f(device float *a [[buffer(0)]]) {}\n]=]\nt = {[ [[a]] ] = 1}\nprint(t[ [[a]] ], #k)\n' >fine.lua
run fine.lua;               check "what is right is left alone" is "$err" ""
                            check "and runs" is "$out" "1	48"

run --version;              check "--version" eval 'printf "%s" "$out" | grep -qE "^mettle [0-9]+\.[0-9]+\.[0-9]+$"'
run --help;                 check "--help names the commands" has "$out" "mettle doctor"
run --verison;              check "an unknown option names the nearest" is "$err" "mettle: unknown option --verison; did you mean --version?"
                            check "with status 2" is "$status" 2
run doctor;                 check "the doctor looks at Lua" has "$out" "Lua 5.4"
                            check "and its status is whether kernels run" eval 'case $out in *"Kernels run here."*) is $status 0 ;; *"do not run here"*) is $status 1 ;; *) false ;; esac'
XDG_STATE_HOME=/proc/none HOME=/proc/none run doctor
                            check "a state folder that cannot be written has a remedy" has "$out" "set XDG_STATE_HOME"
METTLE_DEVICE=host run -e 'print(gpu.device.name)'
                            check "METTLE_DEVICE names the device" is "$out" host
METTLE_DEVICE=toaster run -e 'print(gpu.device.name)'
                            check "one that is not there is named with those that are" has "$err" "there is no device 'toaster' here; this build has:"
run devices;                check "devices lists what there is" eval 'if [ $status = 0 ]; then has "$out" "SIMD-groups of"; else has "$out" "mettle doctor says why"; fi'

cat out err >all
run -e 'gpu.use "host" gpu.kernel "#include <metal_stdlib>\nkernel void f(device metal::atomic_ulong *a [[buffer(0)]]) { metal::atomic_max_explicit(a, 7ul, metal::memory_order_relaxed); }"'
[ ! -e "$(dirname "$METTLE")/host.so" ] || check "no notes about other GPUs without a terminal" is "$status$err" 0
cat out err >>all
run -e 'error("x")'; cat out err >>all; run --help; cat out >>all
run_in 'help()' ; cat out err >>all
check "no escape sequences without a terminal" eval '! grep -q "$(printf "\033")" all'
rm -f out
"$METTLE" -e 'print("up") io.stdout:flush() while true do end' >out 2>err &
pid=$!; until [ -s out ] || [ $SECONDS -gt 60 ]; do sleep 0.02; done
kill -INT $pid; wait $pid; status=$?
check "SIGINT ends a script with status 130" is "$status" 130
# Closed at the start: a file that is opened later does not get their number.
closed='local f = assert(io.open("made", "w")) print("leak") io.stdout:flush()
  io.stderr:write("leak") f:write("x") f:close()'
"$METTLE" -e "$closed" >&- 2>err; status=$?
check "a closed output is an error" is "$status:$(cat made)" "1:x"
check "which is said" grep -q "standard output could not be written" err
"$METTLE" -e "$closed" 2>&- >out; check "closed standard error" is "$?:$(cat made):$(cat out)" "0:x:leak"
"$METTLE" -e "$closed" <&- >&- 2>&-; status=$?
check "all of them" is "$status:$(cat made)" "1:x"
"$METTLE" <&- >out 2>&1; check "no input" is "$?:$(cat out)" "0:"
rm -f made
"$METTLE" -e 'print(1)' >/dev/full 2>err; status=$?
[ -e /dev/full ] && check "output that cannot be written is an error" is "$status" 1

echo "1..$count"
[ "$failed" = 0 ]
