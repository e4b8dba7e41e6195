#!/bin/bash
# test_ends.sh - however Mettle ends, nothing that it began goes on; and what it
# stops by Ctrl-C leaves no dead process.
#
# Guards: SIGHUP, SIGTERM and kill -9 in the midst of a compile leave no process
# running, Ctrl-C leaves no dead one
set -u
# shellcheck source=tests/console/pty.sh
. "$(dirname "$0")/pty.sh"
# shellcheck source=tests/needs.sh
. tests/needs.sh; needs_llvm "the ends of children"

if [ ! -r /proc/self/task/$$/children ]; then
  skip "the ends of children" "no /proc that tells a process's children"
  echo "1..1"; exit 0
fi

# A source that Clang works on for a minute, so that it is always in the midst.
cat >"$work/slow.metal" <<'M'
constexpr int burn(int n) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < 3000; j++) s += i ^ j; return s; }
template <int N> struct B { enum { v = burn(1000 + N) + B<N - 1>::v }; };
template <> struct B<0> { enum { v = 1 }; };
kernel void k(device int *o [[buffer(0)]]) { o[0] = B<400>::v; }
M
cat >"$work/second.lua" <<L
-- another each time, of which nothing is kept: Clang and LLVM are needed
local text = "kernel void f(device float *a [[buffer(0)]]) { a[0] = %d; }"
local k = gpu.kernel(text:format(math.random(1 << 24)))
k{gpu.buffer(1), grid = 1}
local until_then = os.clock() + 0.5
while os.clock() < until_then do end -- a Clang is loaded meanwhile
gpu.library "$work/slow.metal"
L

family() { # all that descend from a process
  local child
  # shellcheck disable=SC2013  # words, not lines
  for child in $(cat /proc/"$1"/task/*/children 2>/dev/null); do
    echo "$child"; family "$child"
  done
}
runs() { # and does not only wait to be buried
  [ -d "/proc/$1" ] && ! grep -q '^State:[[:space:]]*[ZX]' "/proc/$1/status" 2>/dev/null
}
none_runs() { local p; for p in $1; do runs "$p" && return 1; done; return 0; }
has_family() { [ "$(family "$1" | wc -l)" -ge "$2" ]; }

ends() { # signal, number of children to wait for, command...
  local signal=$1 count=$2; shift 2
  "$@" >/dev/null 2>&1 &
  local pid=$! children
  until_true has_family "$pid" "$count" ||
    { echo "# too few children"; kill -KILL $pid; return 1; }
  sleep 0.3
  children=$(family "$pid")
  kill -"$signal" "$pid"
  wait "$pid" 2>/dev/null
  # a Clang left to itself takes a minute
  deadline=20 until_true none_runs "$children"
}

# LLVM's process and Clang's; one more where a Clang stays loaded (not on a Mac)
both=2
[ ! -e "$(dirname "$METTLE")/stay.so" ] || both=3

ignored() { sh -c "kill -$1 \$\$; exit 0" 2>/dev/null; }
for signal in HUP TERM KILL; do
  # nohup's children ignore it as they should, and compile for a minute
  if ignored $signal; then skip "SIG$signal in a compile" "it is ignored here"; continue; fi
  check "SIG$signal in a compile leaves nothing running" ends $signal 1 "$METTLE" compile "$work/slow.metal"
  check "nor where a Clang stays loaded and LLVM has its process" ends $signal $both "$METTLE" "$work/second.lua"
done
mkdir "$work/cache"
check "nor while headers are precompiled" ends KILL 1 env XDG_CACHE_HOME="$work/cache" "$METTLE" compile "$work/slow.metal"

if command -v tmux >/dev/null; then
  open
  enter 'k = gpu.kernel [=[kernel void f(device float *a [[buffer(0)]]) { a[0] = 1; }]=]'; prompt
  for i in 1 2 3 4 5 6 7 8; do
    enter "print('go' .. $i) gpu.library('$work/slow.metal')"
    see_line "go$i"
    sleep 0.0$((i % 4)); [ "$i" -lt 5 ] || sleep 0.2
    keys C-c; prompt; wipe
  done
  pid=$(tm list-panes -F '#{pane_pid}')
  dead() {
    for p in $(family "$pid"); do
      grep -q '^State:[[:space:]]*Z' "/proc/$p/status" 2>/dev/null && echo "$p"
    done
  }
  check "Ctrl-C in compiles leaves no dead process" eval '[ -z "$(dead)" ]'
  # a Clang that waits, one that stays, LLVM's process: none of the stopped ones
  check "and none that runs" eval 'deadline=20 until_true eval "! family $pid | xargs -I{} cat /proc/{}/stat 2>/dev/null | grep -q \") R \""'
  enter 'print("still " .. 6 * 7)'; check "the console goes on" see_line "still 42"
  shut
else
  skip "Ctrl-C in compiles" "tmux is not installed"
fi
finish
