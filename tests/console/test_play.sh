#!/bin/bash
# test_play.sh - play in a terminal (tmux): pictures of half blocks, the line
# below, keys, the mouse, errors over the picture; and however it ends, the
# prompt and the terminal are as they were.
#
# Guards: base/terminal/screen.c, lua/bind/screen/screen.c,
# lua/play/terminal.lua: play in a terminal (tmux): half blocks, keys, the
# mouse, errors over the picture, an endless kernel; Ctrl-C, keys and signals
# leave the terminal clean; base/terminal/typeahead.c
set -u
# shellcheck source=tests/console/pty.sh
. "$(dirname "$0")/pty.sh"
# shellcheck source=tests/needs.sh
. tests/needs.sh; needs_llvm "play in a terminal"
needs_tmux "play in a terminal"
deadline=60
unset DISPLAY WAYLAND_DISPLAY SDL_VIDEODRIVER
# a Mac needs no DISPLAY, and opens windows where the user is not there by ssh
no_display="env -u DISPLAY -u WAYLAND_DISPLAY -u SDL_VIDEODRIVER SSH_CONNECTION=afar"
export METTLE_IMAGE=blocks

# One colour for all; the mouse's pixel is green.
paint() { # file colour [statement]
  cat >"$work/next" <<M
#include <metal_stdlib>
using namespace metal;
kernel void paint(texture2d<float, access::write> picture, constant float2 &mouse, uint2 g [[thread_position_in_grid]]) {
  ${3:-} picture.write(all(g == uint2(mouse)) ? float4(0, 1, 0, 1) : float4($2, 1), g);
}
M
  mv "$work/next" "$1"
}
paint "$work/paint.metal" "1, 0, 0"

colour() { coloured | grep -q "8;2;$1m"; } # as text or background
in_play() { visible | tail -n 3 | grep -q "space pause"; }
lines_above() { visible | head -n 4 | tr -d '\n'; }
says_above() { lines_above | grep -qF -- "$1"; }
clean() { # nothing of the picture, no answer of the terminal, echo is on again
  last_line_is "mettle>" && ! visible | grep -q '▀' && ! visible |
    grep -qF '[0n'
}
starts() { enter "play{\"$work/paint.metal\", size = {40, 40}, fps = 12}"; until_true in_play && until_true colour "255;0;0"; }

# shellcheck disable=SC2119  # it takes none here
ENVIRONMENT="$no_display METTLE_IMAGE=blocks" open
check "a picture, and the line below it" starts
check "frames a second, the kernel's time and its share" see_like "[0-9]+ fps · kernel .*% of the frame"
type " "
check "space pauses" see "paused"
type "]"
check "] changes the group" until_true says_above "threadgroups of"
type " "
paint "$work/paint.metal" "0, 0, 1" "int unused = 3;"
check "saving the file reloads it" until_true colour "0;0;255"
paint "$work/paint.metal" "0, 0, ahead"
check "an error stands over the last good picture, with its line" until_true says_above "paint.metal:4:77: error: use of undeclared"
check "which stays" colour "0;0;255"
paint "$work/paint.metal" "1, 0, 1"
check "until the file is right again" until_true colour "255;0;255"
tm send-keys -l "$(printf '\033[<35;11;6M')"
check "the mouse's cell is the picture's pixel" until_true colour "0;255;0"
type "q"
check "q ends it and leaves the terminal clean" until_true clean
check "what the compiler warned of comes now" see "warning: unused variable 'unused'"
check "and says how it went" see_like "[0-9]+ frames in .* a second; kernel"
enter "1 + 1"
check "the prompt works" see_line "2"

wipe
paint "$work/paint.metal" "1, 0, 0"
starts
keys C-c
check "Ctrl-C ends it, too" until_true clean
starts
keys Escape
check "and Escape" until_true clean

wipe
cat >"$work/endless.metal" <<'M'
kernel void f(device float *a, constant uint &frame, uint2 g [[thread_position_in_grid]]) {
  while (frame > 60) { if (a[g.x] == 2) break; }
  a[g.y * 40 + g.x] = 1;
}
M
enter "play{\"$work/endless.metal\", size = 40, limit = 0.3}"
check "a kernel that never ends is stopped and told" until_true says_above "it did not end within its time limit of 0.3 s"
type "q"
check "and play ends as always" until_true clean
enter "play{\"$work/endless.metal\", size = 40, limit = 100}"
until_true in_play
sleep 0.5
keys C-c
check "Ctrl-C stops it at once" until_true clean

# killed from outside: the terminal is put back first
shut
cat >"$work/kill.sh" <<S
$no_display METTLE_IMAGE=blocks '$METTLE' play '$work/paint.metal' --size 40
stty -a | grep -o ' -*echo ' >'$work/echo'
echo shell is back
sleep 1000
S
until_true tm new-session -d -x 80 -y 24 "bash '$work/kill.sh'"
until_true in_play
kill -TERM "$(pgrep -f "play $work/paint.metal" | head -n 1)"
# see, not see_line: the terminal may still answer what the last frame asked,
# and that is echoed now
check "killed, it leaves the page" see "shell is back"
check "with echo" grep -qx " echo " "$work/echo"
no_picture() { ! visible | grep -q '▀'; }
check "and no picture" no_picture
finish
