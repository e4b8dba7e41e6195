#!/bin/bash
# test_present.sh - mettle present on a terminal (tmux): steps shown, then run;
# forward, back, again, skip, jump; a step that fails, one that is cut short;
# large type, the prompt in between, play's page, notes on a second terminal;
# and without a terminal all of it at once.
#
# Guards: repl/commands/present.c, lua/present/present.lua, lua/present/,
# base/files/local_socket.c on a pseudo-terminal: steps, keys, failures, Ctrl-C,
# the prompt in between, notes on a second terminal; lua/present/{big_text,
# notes, run, script, view}.lua
set -u
# shellcheck source=tests/console/pty.sh
. "$(dirname "$0")/pty.sh"
# shellcheck source=tests/needs.sh
. tests/needs.sh; needs_llvm "presentations"
needs_tmux "presentations"
deadline=30
export METTLE_IMAGE=blocks

cat >"$work/demo.lua" <<'L'
local n = quick and 4 or 6 -- not shown
local function twice(x) return 2 * x end
--# A buffer (2 min)
--: Ask the room for a guess.
a = gpu.buffer(n):fill(7)
print("sum " .. twice(a:sum()))
--? a:sum() == 7 * n
--# It fails
--: This one breaks.
missing.field = 1
print "never printed"
--# Too long for a window
for i = 1, 40 do print("line " .. i) end
--# Endless
print "waits"
while true do end
--# A picture
p = play{"life", size = 32}
print("after the picture " .. math.type(p.frames))
--# What is not so
print "told"
--? a:sum() == 8
L

top() { visible | sed -n 1p; }
title() { top | grep -qF -- "$1"; }
at() { top | grep -qE " $1/6  [0-9]+:[0-9][0-9]\$"; }
at_of() { top | grep -qE " $1/[0-9]+  [0-9]+:[0-9][0-9]\$"; }
has() { visible | grep -qF -- "$1"; }
hasnt() { ! has "$1"; }
# its name is short: messages begin with it, and a Mac's temporary folders have
# long ones
start() { until_true tm new-session -d -x 80 -y 24 -c "$work" "env -u DISPLAY -u WAYLAND_DISPLAY SSH_CONNECTION=afar $* '$METTLE' present demo.lua $options; echo left; stty -a | grep -o ' -*echo '; sleep 1000"; }
options=
start

check "the first step is shown" until_true title "A buffer"
check "with its number and the time" at 1
check "its code, not run" eval 'has "print(\"sum \"" && hasnt "sum 84"'
check "what is before the first step is not shown" hasnt "not shown"
check "nor are notes and claims" eval 'hasnt "guess" && hasnt "7 * n"'
type " "
check "space runs it; locals live on" until_true has "sum 84"
check "the code stays above" has "print(\"sum \""
keys Right
check "and goes on" until_true title "It fails"
check "on a clean screen" hasnt "sum 84"
keys Enter
check "a failing step shows its message" until_true has "demo.lua:10: attempt to index a nil value (global 'missing')"
check "and ends there" eval '! visible | grep -qx "never printed *"'
keys PPage
check "back, as it was" until_true has "sum 84"
type "g3"; keys Enter
check "jump" until_true at 3
type " "
check "a long output ends at its last line" until_true has "line 40"
check "under its title" title "Too long for a window"
check "and says what is seen of it" has "of 42: ↑ ↓"
keys Up
check "the lines above come back" until_true hasnt "line 40"
type " "; until_true at 4
type " "
until_true has "waits"
sleep 0.3
keys C-c
check "Ctrl-C cuts a step short" until_true has "cut short by Ctrl-C"
check "with what was printed" has "waits"
type " "
check "and the presentation goes on" until_true title "A picture"
type " "
check "play has the screen" until_true has "space pause"
type "q"
check "and gives it back" until_true has "after the picture integer"
check "with the step's page" title "A picture"
type " "; until_true at 6
type " "
check "a claim that is not so is told" until_true has "demo.lua:22: this is not so: a:sum() == 8"
type " "
check "the last step says so" until_true has "that was the last step"
type "l"
check "the list of steps" until_true has "2 ✗ It fails"
type "x"
type ":"
check "the prompt, in this session" until_true has "Ctrl-D goes back to step 6"
enter "b = a:sum(); print('at the prompt ' .. b)"
check "with what the steps defined" see "at the prompt 42"
keys C-d
check "and back" until_true title "What is not so"
keys Home; until_true at 1
enter ""; until_true at 2; keys Left; until_true at 1
type "r"
check "again" until_true has "sum 84"
type "+"
check "large letters in blocks" until_true has "▞▀"
type "+"
check "and small ones" until_true title "A buffer"
type "?"
check "the keys" until_true has "cut a step short"
type "x."
check "an empty screen" until_true eval '[ -z "$(visible | tr -d " \n")" ]'
type "x"
check "until the next key" until_true title "A buffer"
tm resize-window -x 60 -y 12
check "a smaller window is filled again" until_true eval 'top | grep -qE "1/6  [0-9:]+$" && [ "$(top | wc -m)" -eq 61 ]'
tm resize-window -x 80 -y 24

# ----------------------------------------------------------------------- notes
notes() { look -t notes; }
noted() { notes | grep -qF -- "$1"; }
until_true tm new-session -d -s notes -x 80 -y 24 "'$METTLE' present --notes; echo notes left; sleep 1000"
check "notes on a second terminal" until_true noted "Ask the room for a guess."
check "with the plan" eval 'noted "of 2 min" && noted "in hand"'
check "and the next step with its notes" eval 'noted "next: It fails" && noted "This one breaks." && noted "missing.field = 1"'
tm send-keys -t notes Right
check "its keys go to the room" until_true noted "2/6 It fails"
room() { look -t =0: | grep -qF -- "$1"; }
check "which follows" until_true room "missing.field"
tm send-keys -t =0: q
check "q leaves the presentation" until_true room "left"
check "with echo" until_true room " echo"
check "notes wait for the next one" until_true noted "Waiting for a presentation"
tm send-keys -t notes q
check "and are left, too" until_true noted "notes left"
check "the socket is gone" eval '! ls "$HOME"/.local/state/mettle/present.socket 2>/dev/null'
shut

# -------------------------------------------------------------- steps left out
options=
start
until_true title "A buffer"
type "g6"; keys Enter
check "a jump says which steps were left out" until_true has "steps 1–5 were skipped: R runs them"
type " "
check "and a failure, that this may be why" until_true has "steps 1–5 were skipped: R runs them; perhaps that is why it failed"
shut

# ----------------------------------------------------------- large, from, quick
options="--large --from 3 --quick"
start METTLE_LARGE=lines
check "--from runs what is before, unseen" until_true eval 'has "3/6" && hasnt "sum 84"'
type "g1"; keys Enter
check "--quick is known to the script" until_true has "sum 56"
shut

# ---------------------------------------------------------- without a terminal
cat >"$work/good.lua" <<'L'
--# One
x = 1
print(x + 1)
--# Two
play{"life", size = 16}
--? _.frames == 3
L
"$METTLE" present "$work/good.lua" >"$work/out" 2>&1 </dev/null
check "no terminal: all of it, status 0" eval "[ $? = 0 ] && grep -q '^2$' '$work/out'"
check "with titles and code" eval "grep -q '^1/2 One' '$work/out' && grep -q '^    print(x + 1)' '$work/out'"
"$METTLE" present five-minutes --nonsense >"$work/out" 2>&1 </dev/null
check "an option that is not known is status 2" eval "[ $? = 2 ]"
"$METTLE" present nothing-there >"$work/out" 2>&1 </dev/null
check "so is no such script, with those there are" eval "[ $? = 2 ] && grep -q 'five-minutes, hour, twenty-minutes' '$work/out'"
until_true tm new-session -d -x 80 -y 24 "'$METTLE' present five-minutes"
check "one of Mettle's own by its name" until_true at_of 1
type "q"
gone
printf -- '--# One\nx = 1\n--? x == 2\n' >"$work/bad.lua"
"$METTLE" present "$work/bad.lua" >"$work/out" 2>&1 </dev/null
check "status 1 where a claim is not so" eval "[ $? = 1 ] && grep -q 'bad.lua: failed: step 1' '$work/out'"
sentence() { # what is said of a script, or of arguments
  "$METTLE" present "${@:2}" >"$work/out" 2>&1 </dev/null && return 1
  grep -qF -- "$1" "$work/out" && [ "$(wc -l <"$work/out")" -le 2 ]
}
printf 'x = 1\n' >"$work/none.lua"
check "a script without steps" sentence "none.lua has no step: a line '--# Title' begins one" "$work/none.lua"
printf -- '--# One\nfor i = 1, 2 do\n--# Two\nend\n' >"$work/half.lua"
check "a step inside a statement" sentence "half.lua:2: the step 'One' has a statement that is not whole" "$work/half.lua"
printf -- '--# One\nx = = 1\n' >"$work/syntax.lua"
check "Lua's own mistakes" sentence "syntax.lua:2: unexpected symbol near '='" "$work/syntax.lua"
printf 'error("no data")\n--# One\n' >"$work/setup.lua"
check "what is before the first step fails" sentence "setup.lua:1: no data" "$work/setup.lua"
check "no such file" sentence "no.lua: No such file" "$work/no.lua"
check "an unknown option" sentence "unknown option --loud" --loud
check "no file at all" sentence "which script?"
check "a step that is not there" sentence "--from 9: $work/demo.lua has 6 steps" "$work/demo.lua" --from 9
finish
