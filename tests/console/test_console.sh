#!/bin/bash
# test_console.sh - the console on a real pseudo-terminal.
#
# Guards: repl/ on a real pseudo-terminal (tmux): typing, history, completion,
# hints, pastes, Ctrl-C; repl/lua/{chunk, interrupt, report, session}.c,
# repl/line/{complete, edit, hint, keys}.c, repl/console/console.c,
# repl/reexec.c, repl/terminal/{style, terminal}.c
set -u
# shellcheck source=tests/console/pty.sh
. "$(dirname "$0")/pty.sh"
# shellcheck source=tests/needs.sh
. tests/needs.sh
needs_tmux "the console on a terminal"
export XDG_STATE_HOME=${XDG_STATE_HOME:-$work/state}
unset NO_COLOR

not() { ! "$@"; }
history_file=$XDG_STATE_HOME/mettle/history

# ------------------------------------------------------------------- typing
open
check "greets in at most three lines" eval 'screen | grep -v "^$" | head -n 3 | grep -q "Ctrl-D leaves"'
enter '6 * 7';                     check "an expression prints its value" see_line "42"
enter '="a" .. "b"';               check "=expression too" see_line "ab"
enter 'x = 5';                     check "a statement prints nothing" prompt
enter 'x, "two", nil'
check "several values" see_like "^5 +two +nil"
enter 't = {3, 4, k = "v", [10] = {true}}'
enter 't';                         check "tables show their contents" see_line '{3, 4, [10] = {true}, k = "v"}'
enter 'for i = 1, 2 do';           check "an unfinished chunk asks for more" last_is "   ...>"
enter 'print("n" .. i)'
enter 'end';                       check "and runs when complete" see_line "n2"
enter 'nothing_here.x';            check "an error shows its message" see "nothing_here has no value: nothing of that name was defined"
check "without a traceback" not shows "traceback"
check "and a new prompt" prompt
keys C-l;                          check "Ctrl-L clears the screen" until_true one_line
enter 'error({code = 7})';         check "an error value that is a table is shown" see_line "{code = 7}"
enter 'error(setmetatable({}, {__tostring = function() return "own text" end}))'
check "one with __tostring speaks for itself" see_line "own text"
enter 'function f(v) return v.a.b end'
prompt
enter 'function g(v)'; enter '  f(v) -- here'; enter 'end'
prompt
enter 'g({})';                     check "an error inside calls names the caller's line" see "called from console:2: f(v) -- here"
enter 'local y = 1';               check "a lost local is explained" see "a local lives only as long as its line"
enter 'big = {} for i = 1, 1000 do big[i] = i end'
prompt
enter 'big';                       check "long output is cut with a note" see "show(_) prints all of it"
type 'print("a'
keys BSpace; type 'bc")'; keys Home; type 'x='; keys End; keys C-a C-k
type '"kept"';                     keys Enter
check "Home, End, Ctrl-A, Ctrl-K, Backspace" see_line "kept"
type '"one two three"'; keys C-Left C-Left; type 'X'; keys Enter
check "Ctrl-Left goes by words" see_line "one Xtwo three"
enter 'io.write("no newline\n", "left open") return';  prompt
check "output without a newline is not painted over" see "left open<"
prompt; wipe
enter 'kernel void f(device float *a'; check "MSL at the prompt is recognised" see "this is MSL, not Lua"
enter 'if x != 3 then';            check "C in place of Lua is named" see "Lua writes ~= for !="
enter 'function deeper(n) return 1 + deeper(n) end deeper(1)'
check "endless recursion is an error" see "stack overflow"
prompt; enter 'help'
check "help alone helps" see "Explain a function"
prompt; wipe
type '"l"'; keys F5 M-z PageUp;    keys Enter
check "unknown keys leave nothing in the line" see_line "l"
enter 'print("grüße 漢字 ✓")';       check "UTF-8 is echoed and kept" see_line "grüße 漢字 ✓"
type 'print("ä漢b")'; keys Left Left Left BSpace; type 'ö'; keys Enter
check "and edited by characters" see_line "äöb"
enter 'os.execute("sleep 0.5")'; type 'b"'; keys Home; type '"typed a'; keys Enter
check "keys typed ahead edit the next line" see_line "typed ab"
shut

# ------------------------------------------------------------------ history
open
enter 'first = "entry one"'; prompt
enter 'for i = 1, 3 do'; enter '  print("round " .. i)'; enter 'end'; see_line "round 3"; prompt
keys C-d; gone
check "history is kept in the state folder" test -s "$history_file"
check "readable by its owner alone" eval '[ "$(ls -l "$history_file" | cut -c1-10)" = "-rw-------" ]'
open
keys Up; check "Up recalls a chunk of several lines" see 'for i = 1, 3 do↵  print("round " .. i)↵end'
keys Enter; check "and Enter runs it again" see_line "round 3"
prompt; keys Up Up; check "Up again goes further back" last_is 'mettle> first = "entry one"'
keys Down; keys Home; type 'marker = 1 '; keys Enter; prompt
enter '"marker " .. marker'; check "a recalled chunk can be edited" see_line "marker 1"
prompt; keys C-r; type 'entry'; check "Ctrl-R searches" see "search 'entry': first"
keys Enter; prompt; enter 'first'
check "and Enter takes it" see_line "entry one"
type 'half typed'; keys Up Down; check "Down returns to what was being typed" last_is "mettle> half typed"
keys C-u
keys C-d; check "Ctrl-D leaves" gone
open; enter 'quit'; check "quit leaves too" gone

# --------------------------------------------------------------- completion
cd "$work" || exit 1
mkdir -p folder; : >folder/kernel_one.metal; : >folder/kernel_two.metal
open
type 'gpu.bu'; keys Tab;           check "Tab completes a field" see "mettle> gpu.buffer"
keys C-u; type 'coro'; keys Tab;   check "a global" last_is "mettle> coroutine"
keys C-u; type 'whi'; keys Tab;    check "a keyword" last_is "mettle> while"
keys C-u
enter 'obj = setmetatable({}, {__index = {fill_it = print, flag = 1}})'; prompt
type 'obj:fi'; keys Tab;           check "a method, through __index" last_is "mettle> obj:fill_it"
keys C-u; type 'x = "folder/ker'; keys Tab; check "a file name in a string" last_is 'mettle> x = "folder/kernel_'
keys Tab;                          check "a second Tab lists the choices" see "kernel_one.metal  kernel_two.metal"
check "and the line is still there" last_is 'mettle> x = "folder/kernel_'
type 't'; keys Tab;                check "and completes" last_is 'mettle> x = "folder/kernel_two.metal'
keys C-u; type 'gpu.buffer(3):rand'; keys Tab; check "a method behind a call" see "mettle> gpu.buffer(3):random"
keys C-u; type 'record{k, gpu.buffer(3)}:thr'; keys Tab; check "one of what the call returns" see "gpu.buffer(3)}:thread"
keys C-u; type 'help "gpu.dev'; keys Tab; check "a topic of the help" see 'mettle> help "gpu.device'
keys C-u; type 'help "occup'; keys Tab; check "a word of the glossary" see 'mettle> help "occupancy'
keys C-u; type 'help "cudaMemcpyA'; keys Tab; check "a word of a dictionary" see 'mettle> help "cudaMemcpyAsync'
keys C-u; type 'draw "transpose_n'; keys Tab; check "a kernel of the library" see 'mettle> draw "transpose_naive'
keys C-u; type 'puzzle "quan'; keys Tab; check "a puzzle" see 'mettle> puzzle "quantised'
keys C-u; type 'glossary "quad'; keys Tab; check "a word of the glossary" see 'mettle> glossary "quad-group'
keys C-u; type 'cuda "__shfl_d'; keys Tab; check "a word of CUDA" see 'mettle> cuda "__shfl_down_sync'
keys C-u; enter 'deep = {a = {{name_of_it = 1}}}'; prompt
type 'deep.a[1].na'; keys Tab;     check "through indexes" last_is "mettle> deep.a[1].name_of_it"
keys C-u; enter 'k = [==['; type 'a '; keys Tab; type 'b'
check "in a long string Tab indents" see_like "> a  +b$"
keys C-u; type 'threadgroup_b'; keys Tab; check "a word of MSL in a kernel" see '> threadgroup_barrier'
keys C-c; prompt
type 'gpu.buffer('; check "the hint shows a signature in grey" eval 'until_true eval "coloured | grep -q \"\\[90m.*gpu.buffer\""'
keys C-u; shut

# ------------------------------------------------------------------- pastes
kernel='src = [=[
#include <metal_stdlib>
using namespace metal;
kernel void add(device const float *a [[buffer(0)]],
	device float *c [[buffer(1)]], // tab, größer
                uint i [[thread_position_in_grid]]) {
  c[i] = a[i];
}
]=]
'
length=$(($(printf '%s' "$kernel" | sed '1d;$d' | wc -m)))
bytes=$(($(printf '%s' "$kernel" | sed '1d;$d' | wc -c)))
open
paste "$kernel"; prompt
enter '"chars " .. utf8.len(src)';  check "a pasted kernel is whole" see_line "chars $length"
enter 'select(2, src:gsub("\t", ""))'; check "with its tabs" see_line "1"
enter 'src = nil'; prompt
paste_plain "$kernel"; prompt
enter '"bytes " .. #src';           check "also from a terminal that does not mark pastes" see_line "bytes $bytes"
keys Up Up; check "a pasted chunk is one entry of the history" see 'src = [=[↵#include'
keys C-c; prompt
paste 'pasted in a '; type 'line'; check "a paste without newline stays in the line" last_is "mettle> pasted in a line"
keys C-u
paste $'local n = 20\nlocal m = n + 2\nprint("sum", n + m)\n'
check "a paste with locals is run as one chunk" see_like "^sum +42"
prompt; paste $'x1 = 1\nx2 = = 2\nx3 = 3\nx4 = 4\n'
check "a paste stops at its first error" see "the other 2 pasted lines were not run"
prompt; enter 'x1, x3'; check "and what follows was not run" see_like "^1 +nil"
long=$(printf 'y%.0s' $(seq 6000))
paste "z = '$long' .. 'end'"; keys Enter; prompt
enter '"len " .. #z'; check "a line of 6000 bytes is not cut" see_line "len 6003"
paste "z2 = '$long' .. 'end'"$'\n'; prompt
enter '"len2 " .. #z2'; check "nor with its newline pasted" see_line "len2 6003"
shut

# ------------------------------------------------------------------- Ctrl-C
open
type 'abandoned'; keys C-c; check "Ctrl-C clears the line" see_line "mettle> abandoned^C"
prompt; enter 'for i = 1, 2 do'; last_is "   ...>"; keys C-c; check "and abandons an unfinished chunk" prompt
enter 'print("start") while true do end'; see_line "start"; keys C-c
check "and stops a loop" see_line "interrupted"
prompt; enter 'print("start2") while true do pcall(function() while true do end end) end'; see_line "start2"; keys C-c
check "even inside pcall" eval 'until_true eval "[ \$(screen | grep -c ^interrupted) = 2 ]"'
prompt; enter 'print("start3") coroutine.wrap(function() while true do end end)()'; see_line "start3"; keys C-c
check "and inside a coroutine" eval 'until_true eval "[ \$(screen | grep -c ^interrupted) = 3 ]"'
prompt; enter '"alive"'; check "the console is alive" see_line "alive"
enter 'print("start4") while true do string.rep("x", 100) end'; see_line "start4"; keys C-c
check "a second stop works" eval 'until_true eval "[ \$(screen | grep -c ^interrupted) = 4 ]"'
prompt; enter 'while true do print("flood") end'; see "flood"; keys C-c
check "a flood of output is stopped" see "interrupted"
prompt; enter 'print("reading") return io.read()'; see_line "reading"; enter 'typed'; check "io.read gets a line" see_line "typed"
prompt
# pressed too early it stops the Lua code around; then it is tried again
stuck='table.move({}, 1, 10^15 // 1 | 0, 2)'
press_and_look() {
  last_line_is "mettle>" && enter "$stuck"; keys C-c 2>/dev/null; ended
}
check "what does not listen is ended by more of them" until_true press_and_look
shut

# ------------------------------------------------------------------ kernels
if "$METTLE" doctor >/dev/null 2>&1; then
  open
  enter 'a = gpu.buffer(1000):iota() b = gpu.buffer(1000)'; prompt
  type 'a:fi'; keys Tab; check "Tab completes a buffer's method" see "mettle> a:fill"
  check "with its hint" see "b:fill("
  keys C-u
  paste $'twice = gpu.kernel [=[\n  kernel void twice(device const float *a [[buffer(0)]],\n\t\t    device float *b [[buffer(1)]],\n                    uint i [[thread_position_in_grid]]) { b[i] = 2 * a[i]; }\n]=]\n'
  prompt
  enter 'twice{a, b, grid = 1000}';  check "a pasted kernel runs" see "twice: 1,000 threads"
  prompt; type 'twice{a, b, gri'; keys Tab; check "Tab knows a launch's settings" see "mettle> twice{a, b, grid"
  keys C-c
  prompt; enter '"got " .. b[999]';  check "and is right" see_line "got 1998.0"
  enter 'gpu.kernel [=[kernel void f(device float *a [[buffer(0)]]) { a[0] = zz; }]=]'
  check "a compile error shows the compiler's text" see "error: use of undeclared identifier 'zz'"
  prompt
  enter 'k = gpu.kernel [=[kernel void f(device float *a [[buffer(0)]]) { while (true) a[0] += 1; }]=]'
  prompt
  enter 'print("running") k{a, grid = 1}'; see_line "running"; keys C-c
  check "Ctrl-C stops a kernel" see_line "interrupted"
  prompt; enter '"after " .. #a'; check "and the console goes on" see_line "after 1000"
  shut
else
  skip "kernels at the console" "no device runs kernels here; see mettle doctor"
fi

# ------------------------------------------------------------ the [[ ]] trap
open
enter 'k = [['; enter 'kernel void f(device float *a [[buffer(0)]],'
check "[[ ... [[buffer(0)]] is explained at once" see "write [=[ ... ]=] around a kernel"
check "and the chunk is given up" prompt
prompt; wipe
enter 'k = [[kernel void f(device float *a [[buffer(0)]]) { }]]'
check "on one line too" see "write [=[ ... ]=] around a kernel"
prompt; wipe
enter 'k = [[kernel void f(uint i [[thread_position_in_grid]]'
check "and where it happens to parse" see "write [=[ ... ]=] around a kernel"
prompt; wipe
paste $'k = [[\nkernel void f(device float *a [[buffer(0)]],\n  device float *b [[buffer(1)]]) {\n}\n]]\n'
check "a paste of it gives one explanation" see "write [=[ ... ]=] around a kernel"
prompt
check "and no further errors" eval '[ "$(visible | grep -c "console:")" = 1 ]'
prompt; wipe
paste_plain $'k = [[\nkernel void f(device float *a [[buffer(0)]],\n  device float *b [[buffer(1)]]) {\n}\n]]\n'
see "write [=[ ... ]=] around a kernel"; prompt
check "nor from a terminal that does not mark pastes" eval '[ "$(visible | grep -c "console:")" = 1 ]'
prompt; wipe
enter 'k = [=[kernel void f(uint i [[thread_position_in_grid]]) {}]=]'; prompt
check "[=[ ]=] is fine" eval '! visible | grep -q "write"'
shut

# ------------------------------------------------- other terminals and sizes
SIZE="-x 40 -y 8" open
type "print('$(printf 'w%.0s' $(seq 400))' .. 'Z')"; keys Enter
check "a line taller than the screen runs" see "wwwwwwZ"
wipe
enter 'error("alpha bravo charlie delta echo foxtrot golf hotel india", 0)'
check "a long error is broken between words" see_line "alpha bravo charlie delta echo foxtrot"
check "and goes on two columns further in" see_line "  golf hotel india"
prompt; wipe
if has_kernels; then
enter 'gpu.kernel "kernel void f(float *a) {}"'
check "so are the sentences of a compiler" eval 'see_line "help: Say where it leads: device for a" && see_line "  buffer, constant for read-only data,"'
prompt; wipe
enter 'gpu.kernel "kernel void f(device float *a, uint i [[thread_position_in_grid]]) { a[i] = oops; /* and more */ }"'
check "and code is cut around its caret" eval 'see_line "…n_grid]]) { a[i] = oops; /* and more *…" && see_line "                    ^"'
prompt; wipe
enter 'k = gpu.kernel "kernel void f(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) { a[i] = 1; }"'
prompt; wipe
enter 'print(compare{k, gpu.buffer(10), grid = 10, budget = 0.01})'
see "a launch" || see "a launch" # the first compare measures the device's peaks
prompt
# below the bars, which have the width they need
check "notes of compare are too" eval 'screen | sed -n "/a launch/,\$p" | grep -q . && ! screen | sed -n "/a launch/,\$p" | grep -qE "^.{41}"'
else
  skip "notes of compare are too" "this build has no LLVM"
fi
shut
# what runs here and not on the GPU that is written for (gpu.target, an M1)
if has_llvm; then
open
enter 'most = "using namespace metal; kernel void most(device atomic_ulong *a [[buffer(0)]]) { atomic_max_explicit(a, 7ul, memory_order_relaxed); }"'; prompt
enter 'gpu.use "host"; k = gpu.kernel("#include <metal_stdlib>\n" .. most)'
check "a kernel that an M1 cannot run is told" see "note: most runs here, not on an Apple M1: it uses 64-bit atomics"
prompt; wipe
enter 'k = gpu.kernel("#include <metal_stdlib>\n" .. most)'; prompt
check "once" not shows "note:"
enter 'gpu.target = "m2" k = gpu.kernel("#include <metal_stdlib>\n" .. most) gpu.target = false'; prompt
check "an M2 can" not shows "note:"
shut
fi
# ---------------------------------------------------------- memory when idle

# Until a key is pressed the console is itself alone: no LLVM, no Clang. (A
# Mac's GPU has a compiler of the system, and there is no /proc.)
if has_llvm && [ "$(uname -s)" = Linux ] && [ -r /proc/self/maps ]; then
  of_console() { cat "/proc/$(tm list-panes -F '#{pane_pid}')/$1"; }
  resident() { of_console status | sed -n 's/^VmRSS:[[:space:]]*\([0-9]*\) kB/\1/p'; }
  is_loaded() { of_console maps | grep -q libLLVM; }
  is_alone() {
    ! is_loaded &&
      [ -z "$(of_console "task/$(tm list-panes -F '#{pane_pid}')/children")" ]
  }
  open
  sleep 1 # longer than the pause in which it loads once there was a key
  check "an idle prompt has loaded no compiler" is_alone
  if grep -qE '__[at]san_init' "$METTLE"; then
    skip "and has at most 10 MB" "sanitizers have memory of their own"
  else
    check "and has at most 10 MB" test "$(resident)" -le 9765
  fi
  type 'x'; check "the first key loads it" until_true is_loaded
  shut
fi

ENVIRONMENT="env TERM=dumb" open
enter '1 + 2'; check "TERM=dumb works" see_line "3"
type 'junk'; keys C-c; prompt; check "with Ctrl-C" prompt
check "without escape sequences" eval '[ -z "$(coloured | tr -d "[:print:]\n")" ]'
shut
ENVIRONMENT="env NO_COLOR=1" open
enter 'error "plain"'; see "plain"; prompt
check "NO_COLOR has no colours" eval '! coloured | grep -q $'"'"'\e\\[[0-9;]*[1-9]'"'"''
shut
finish
