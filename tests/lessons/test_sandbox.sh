#!/bin/bash
# test_sandbox.sh - `mettle lesson check` on lessons of strangers: what their
# code cannot do, and that no end of it passes for success
# (lua/session/sandbox.lua, base/files/confine.c, repl/commands/lesson.c).
#
# Guards: `mettle lesson check` on strangers' lessons: files, programs, endless
# code, early ends; every way in which a source, an option or a name leads to a
# file (tests/lessons/ways.lua, which tests/c/repl/test_notebook.c has tried in
# a notebook's sandbox too), with the kernel's Landlock and without
# (tests/older.c); one way in 23, METTLE_TESTS=all: all; base/files/confine.c,
# base/files/landlock.c, lua/session/sandbox.lua, repl/commands/lesson.c
set -u
METTLE=${METTLE:-$PWD/build/mettle}
# shellcheck source=tests/needs.sh
. tests/needs.sh; needs_kernels "lessons of strangers"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# others may lint lessons at the same time: what is left is looked for here
mkdir "$work/tmp"; export TMPDIR=$work/tmp
n=0
result() {
  n=$((n + 1)); if [ "$2" = 0 ]; then echo "ok $n - $1"; else echo \
    "not ok $n - $1"; sed 's/^/# /' "$work/out"; fi
}

# A good lesson with a line of Lua before what lesson.lua returns.
lesson() {
  rm -rf "$work/01-evil"; cp -r lessons/01-hello-gpu "$work/01-evil"
  { printf '%s\n' "$1"; cat lessons/01-hello-gpu/lesson.lua; } >"$work/01-evil/lesson.lua"
}
lint() {
  (cd "$work" && "$METTLE" lesson check 01-evil "$@") >"$work/out" 2>&1
}

lesson '-- nothing'; lint; result "a good lesson is good" $?
grep -q "^01-evil: good" "$work/out"; result "and it says so" $?

# refused WHAT CODE WORDS: it does not pass, and says why in one line
refused() {
  lesson "$2"; lint; local status=$?
  [ $status = 1 ] && grep -qF -- "$3" "$work/out" &&
    ! grep -q ": good" "$work/out"
  result "$1" $?
}
refused "no program is started" "os.execute('touch $work/made')" "attempt to call a nil value (field 'execute')"
refused "nor by io" "io.popen('touch $work/made')" "attempt to call a nil value (field 'popen')"
refused "the process is not ended" "os.exit(0)" "attempt to call a nil value (field 'exit')"
refused "no modules" "require 'mettle.system'" "attempt to call a nil value (global 'require')"
refused "no machine code" "package.loadlib('libc.so.6', '*')" "attempt to index a nil value (global 'package')"
refused "no look into other functions" "debug.getregistry()" "attempt to index a nil value (global 'debug')"
refused "no bytecode" "assert(load('\\27Lua'))" "attempt to load a binary chunk"
refused "load sees no more" "load('os.execute(1)')()" "attempt to call a nil value (field 'execute')"
refused "no way round by strings" "getmetatable('').__index.format = nil" "attempt to index a nil value"
echo secret >"$work/secret"
refused "no file beside it is read" "assert(io.open('$work/secret'))" "a lesson may open files of its own folder only"
refused "nor by lines" "for l in io.lines('../secret') do end" "a lesson may open files of its own folder only"
refused "nor by a kernel" "gpu.kernel('$work/secret')" "out of reach"
refused "no file is written elsewhere" "assert(io.open('$work/made', 'w'))" "a lesson may open files of its own folder only"
refused "nor by a buffer" "gpu.buffer(4):save('$work/made')" "out of reach"
cache=$("$METTLE" -e 'print(require("mettle.system").cache)')
refused "nor where compiled code is kept" "assert(io.open('$cache/made', 'w'))" "a lesson may open files of its own folder only"
refused "nor there by a buffer" "gpu.buffer(4):save('$cache/made')" "out of reach"
refused "no bytecode is made" "(''):dump(print)" "attempt to call a nil value (method 'dump')"
refused "nor in the lesson's folder" "gpu.buffer(4):save('$work/01-evil/made')" "out of reach"
lesson "-- link"; ln -s "$work/secret" "$work/01-evil/link"
sed -i.bak "1s|.*|assert(io.open('$work/01-evil/link'))|" "$work/01-evil/lesson.lua"
! lint && grep -qF "files of its own folder only" "$work/out"; result "nor by a link" $?
lesson "local f = assert(io.open('$work/01-evil/start.lua')) f:close() f = assert(io.open('own', 'w')) f:write('x') f:close() gpu.buffer(4):save('b') gpu.load('b')"
lint; result "its own files, and those where it is run" $?
[ ! -e "$work/made" ]; result "nothing was made" $?
[ -z "$(ls "$TMPDIR")" ]; result "and nothing is left" $?

# Every way in which a source, an option or a name leads to a file (ways.lua), a
# fixed choice of them; once more where the kernel has no Landlock.
older=$(dirname "$METTLE")/tests/older step=23
[ "${METTLE_TESTS:-}" != all ] || step=1
mkdir "$work/far"; echo '#define SECRET 4711' >"$work/far/secret.h"
echo 'hunter2 is no C' >"$work/far/words.txt"; : >"$work/far/lib.so"
echo "-I$work/far -include $work/far/secret.h" >"$work/far/rsp"
echo "-I$work/far" >"$work/far/config"
ways() { # FIRST COMMAND...: the lesson tries them
  lesson ''
  { echo "local outside, inside = '$work/far', '$work/01-evil'"
    echo "local first, step = $1, $step"
    cat tests/lessons/ways.lua; } >"$work/01-evil/lesson.lua"
  (cd "$work/01-evil" && ln -s ../far/secret.h link.h && ln -s ../far dir &&
    ln -s ../far/words.txt link.txt && echo '#define SECRET 7' >own.h)
  shift
  (cd "$work" && "$@" "$METTLE" lesson check 01-evil --time-limit 600) \
    >"$work/out" 2>&1
  grep -q "ways of [0-9]*, 0 leaks, its own header gives 7" "$work/out"
}
ways 3; result "no include, option or name leads out" $?
if [ -x "$older" ] && "$older" true; then
  ways 4 "$older"; result "nor where the kernel has no Landlock" $?
  grep -q "^mettle: note: this kernel does not offer Landlock" "$work/out"; result "which is said" $?
fi

lesson 'while true do end'; ! lint --time-limit 1 && grep -q "stopped: it took longer than" "$work/out"; result "endless code is stopped" $?
lesson 'while true do pcall(function() while true do end end) end'
! lint --time-limit 1 && grep -q "\-\-time-limit 4 gives it more" "$work/out"; result "code that catches all, too" $?
lesson 'for i = 1, 1e9 do io.stdout:write(("x"):rep(1000)) print(("x"):rep(1000)) end'
! lint --time-limit 1; result "endless printing" $?
# (of 4 GB; what is written to takes time: rep needs twice what it gives, and
# the second half of 1.9 GB is refused before it is written to)
refused "memory beyond a limit" "local m = ('x'):rep(1 << 20) local t = { m:rep(400), m:rep(1900) }" "not enough memory"
lesson '-- name'; mv "$work/01-evil" "$work/$(printf '01-e\033[2Jvil')"
(cd "$work" && "$METTLE" lesson check 01-e*) >"$work/out" 2>&1
grep -q "␛" "$work/out" && ! grep -q "$(printf '\033')" "$work/out"
result "a name with escapes" $?
(cd "$work" && "$METTLE" lesson check nowhere) >"$work/out" 2>&1
[ $? = 2 ] && grep -q "no file or folder nowhere" "$work/out"; result "a folder that is not there" $?
echo "1..$n"
