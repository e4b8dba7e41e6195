# shellcheck shell=bash
# pty.sh - a person at a terminal, for shell suites: tmux is the terminal.
#
#   open [ARGS]      start mettle in a terminal of 80 x 24 (SIZE="-x 60 -y 10")
#   type TEXT        press the keys of TEXT; enter TEXT: and Enter
#   keys NAME...     named keys: Tab, Up, C-c, M-b
#   paste TEXT       paste as terminals do that mark pastes; paste_plain: others
#   see TEXT         wait until TEXT is on the screen (or in what scrolled off);
#                    see_line: a whole line; see_like: a pattern of grep -E.
#                    see takes a sentence that the window wrapped as one line
#   prompt           wait until the last line is an empty prompt
#   wipe             clear the screen and what scrolled off (at a prompt)
#   gone             wait until the program has ended
#   shut             end the terminal
#
# Nothing waits for a fixed time: each look is repeated until a deadline.
#
# A suite has a folder "$work", which goes with the terminal when it ends, and
# needs_tmux NAME ends it where there is no tmux, with that result left out.
deadline=${PTY_DEADLINE:-120}
METTLE=${METTLE:-$PWD/build/mettle}
export METTLE
work=$(mktemp -d)
trap 'shut; rm -rf "$work"' EXIT
socket=mettle-test-$$
tm() { tmux -L "$socket" -f /dev/null "$@"; }

# what a person sees: blanks, where newer tmux remembers that they were a tab
look() { tm capture-pane -p "$@" 2>/dev/null | expand; }
screen() { look -J -S -500; }
visible() { look; }
coloured() { tm capture-pane -p -e 2>/dev/null; }

# until COMMAND...: true as soon as it succeeds, false at the deadline
until_true() {
  local end=$((SECONDS + deadline)) pause
  # a look starts ten programs: what is not there at once is asked for less
  for pause in 0.03 0.05 0.08; do
    "$@" && return
    sleep $pause
  done
  until "$@"; do
    [ $SECONDS -ge $end ] && return 1
    sleep 0.15
  done
}

# lines that go on two columns further in are what wrapping made of one
unwrapped() { tr '\n' '\001' | sed "s/ *$(printf '\001')  \([^ ]\)/ \1/g" | tr '\001' '\n'; }
shows() {
  local now; now=$(screen)
  [[ $now == *"$1"* ]] || unwrapped <<<"$now" | grep -qF -- "$1"
}
shows_line() { screen | sed 's/ *$//' | grep -qxF -- "$1"; }
last_line_is() { [ "$(visible | sed 's/ *$//' | grep -v '^$' | tail -n 1)" = "$1" ]; }
ended() { ! tm has-session 2>/dev/null; }

shows_like() { screen | grep -qE -- "$1"; }
see_like() { until_true shows_like "$1"; }
see() { until_true shows "$1"; }
see_line() { until_true shows_line "$1"; }
# "mettle>", or "11 coalescing 4/6 ✓10>", "puzzle 3 guard ✓2>" while one is open
at_prompt() { visible | sed 's/ *$//' | grep -v '^$' | tail -n 1 | grep -qE '^(mettle|([a-z]+ )?[0-9]+ [a-z0-9-]+( [0-9]+/[0-9]+| challenge [0-9]+)? ✓[0-9]+)>$'; }
prompt() { until_true at_prompt; }
last_is() { until_true last_line_is "$1"; }
gone() { until_true ended; }

open() {
  # shellcheck disable=SC2086
  # again if a server that is just ending took the call
  until_true tm new-session -d ${SIZE:--x 80 -y 24} "exec ${ENVIRONMENT:-env} '$METTLE' $*" 2>/dev/null &&
    prompt
}
shut() { tm kill-server 2>/dev/null; until_true ended; }

# forget all that was on the screen, so that the next look sees what is new
one_line() { [ "$(visible | grep -c .)" = 1 ]; }
wipe() { keys C-l; until_true one_line; tm clear-history; }

type() { tm send-keys -l -- "$1"; }
keys() { tm send-keys "$@"; }
enter() { type "$1"; keys Enter; }
paste() { printf '%s' "$1" | tm load-buffer - && tm paste-buffer -p; }
paste_plain() { printf '%s' "$1" | tm load-buffer - && tm paste-buffer; }

# ---------------------------------------------------------------------- TAP

count=0 failed=0
# check NAME COMMAND...: one result; what is on the screen if it fails
check() {
  local name=$1; shift
  count=$((count + 1))
  if "$@"; then
    echo "ok $count - $name"
  else
    failed=$((failed + 1))
    echo "not ok $count - $name"
    echo "# failed: $*"
    screen | sed 's/ *$//' | grep -v '^$' | tail -n 20 | sed 's/^/#   /'
  fi
}
needs_tmux() {
  ! command -v tmux >/dev/null || return 0
  skip "$1" "tmux is not installed"
  echo "1..1"; exit 0
}
skip() { count=$((count + 1)); echo "ok $count - $1 # SKIP $2"; }
finish() { shut; echo "1..$count"; [ "$failed" = 0 ]; }
