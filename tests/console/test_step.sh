#!/bin/bash
# test_step.sh - the stepper in a terminal (tmux): keys, questions, a window
# that changes its size, no colours; and however it ends, the prompt and the
# terminal are as they were.
#
# Guards: the stepper in a terminal: keys, questions, resizing, no colours, and
# that the terminal is given back
set -u
# shellcheck source=tests/console/pty.sh
. "$(dirname "$0")/pty.sh"
# shellcheck source=tests/needs.sh
. tests/needs.sh; needs_llvm "the stepper in a terminal"
needs_tmux "the stepper in a terminal"
deadline=30

cat >"$work/start.lua" <<'L'
k = gpu.kernel [=[
#include <metal_stdlib>
using namespace metal;
static float twice(float a) {
  return a * 2;
}
kernel void shift(device const float *x, device float *y,
                  uint i [[thread_position_in_grid]],
                  uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[64];
  tile[t] = twice(x[i]);
  float left = t > 0 ? tile[t - 1] : 0;
  y[i] = left;
}]=]
x, y = gpu.buffer(64):iota(), gpu.buffer(64)
r = record{k, x, y, grid = 64, group = 64}
L

row() { visible | sed -n "${1}p"; }
top_has() { row 1 | grep -qF -- "$1"; }
line_is() { visible | grep -q "^>[ o?] *$1 "; }
has() { visible | grep -qF -- "$1"; }
steps() { until_true has "q quit"; }
# nothing of the page, and echo is on again
clean() { last_line_is "mettle>" && ! visible | grep -q "│"; }
ends_at() { row "$1" | grep -qF "lane"; } # the keys, cut to the window

open -i "$work/start.lua"
enter "step(r)"
check "the stepper opens at the first line" until_true line_is 10
check "with its thread" top_has "thread 0: threadgroup 0, SIMD-group 0, lane 0"
keys Right
check "the next line, in a function" until_true line_is 4
check "with the calls" has "[twice:4] < shift:10"
keys Left
check "and back" until_true line_is 10
keys Down
check "another lane" until_true top_has "thread 1:"
type "t63"; keys Enter
check "a thread by its number" until_true top_has "thread 63: threadgroup 0, SIMD-group 1, lane 31"
type "g12"; keys Enter
check "to a line" until_true line_is 12
check "what it did" has "12: y[63] = 124"
check "the memory's cell is marked" has "[124]"
type "c11 left > 50"; keys Enter
check "a breakpoint with a condition" until_true has "stops at line 11 if left > 50"
keys t 0 Enter Home; type "r"
check "run stops where it is true" until_true top_has "thread 27:"
check "at its line" line_is 11
type "f"
check "the race, with both threads in view" until_true has "(Tab)"
check "in words" until_true has "finding 1 of 1: tile["
type "?"
check "the keys" until_true has "another variable over the lanes"
type "x"
tm resize-window -x 120 -y 40
check "a larger window is filled" until_true ends_at 40
tm resize-window -x 60 -y 14
check "a small one, too" until_true ends_at 14
tm resize-window -x 80 -y 24
steps
type "q"
check "q leaves, and the terminal is clean" until_true clean
enter "1 + 1"
check "the prompt works" see_line "2"
enter "step(r)"; steps
keys C-c
check "Ctrl-C leaves" until_true clean
enter "step(r)"; steps
keys Escape
check "and Escape" until_true clean
wipe
enter "step(check{k, x, y, grid = 64, group = 64}[1])"
check "a finding opens it" until_true has "finding 1 of 1"
type "q"; until_true clean
wipe
enter "step(7)"
check "misuse gets a sentence" see "step takes a kernel and its arguments, a recording or a finding"
shut
ENVIRONMENT="env NO_COLOR=1" open -i "$work/start.lua"
enter "step(r)"; steps
no_colours() { ! coloured | grep -q "$(printf '\033')\[[0-9;]*[1-9]m"; }
check "NO_COLOR: marks and no colours" no_colours
type "q"; until_true clean
shut
cat >"$work/kill.sh" <<S
echo 'step(r)' >>'$work/start.lua'
'$METTLE' '$work/start.lua'
stty -a | grep -o ' -*echo '
echo shell is back
sleep 1000
S
until_true tm new-session -d -x 80 -y 24 "bash '$work/kill.sh'"
steps
kill -TERM "$(pgrep -f "$work/start.lua" | head -n 1)"
check "killed, it leaves the page" see_line "shell is back"
check "with echo" see_line " echo"
finish
