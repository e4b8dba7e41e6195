#!/bin/bash
# test_endless.sh - a kernel that never ends on the Metal device, which cannot
# stop it: Ctrl-C and the time limit give it up at once, and the launches that
# wait after it for the GPU have all of their own time.
#
# Guards: a kernel that never ends on the Metal device: Ctrl-C and the time
# limit give it up, the launches after it have all of their own time
set -u
standin=$(dirname "${METTLE:-build/mettle}")/standin/mettle
if [ ! -x "$standin" ]; then
  echo "ok 1 - kernels that never end # SKIP the stand-in is built on Linux, with LLVM and metal-cpp"
  echo "1..1"
  exit 0
fi
METTLE=$standin
# shellcheck source=tests/console/pty.sh
. "$(dirname "$0")/../console/pty.sh"
needs_tmux "kernels that never end"
deadline=${PTY_DEADLINE:-60}

cat >"$work/kernels.metal" <<'M'
kernel void endless(device float *a, uint i [[thread_position_in_grid]]) { while (a[i] == 0) a[i + 8] += 1; }
kernel void one(device float *a, uint i [[thread_position_in_grid]]) { a[i] = 1; }
M
# shellcheck disable=SC2119  # it takes none here
open
enter "f = '$work/kernels.metal' endless, one = gpu.kernel(f, 'endless'), gpu.kernel(f, 'one') a, b = gpu.buffer(16), gpu.buffer(8)"
prompt
enter "endless{a, grid = 8}"
sleep 0.5
keys C-c
check "Ctrl-C: it is given up" see_line "interrupted"
enter "one{b, grid = 8, limit = 0.2} print('b is ' .. b[7])"
check "the next launch has its own time when the GPU is free again" see "b is 1.0"
wipe
enter "endless{a, grid = 8, limit = 0.1}"
check "the time limit: it is given up" see "kernel 'endless' was given up: it did not end within its time limit of 0.1 s; macOS ends it on its own"
b_is() { enter "b:fill(0) one{b, grid = 8, limit = 0.2} print('now b is ' .. b[7])"; see "now b is 1.0"; }
check "and the next launch has its own time" b_is
wipe
enter "endless{a, grid = 8, limit = 0.1}"
see "was given up"
keys C-d
check "the console ends while it runs" gone
finish
