#!/bin/bash
# test_interrupt.sh - Ctrl-C while something is measured gives what there is.
#
# Guards: Ctrl-C while something is measured gives what there is so far
set -u
# shellcheck source=tests/needs.sh
. tests/needs.sh; needs_kernels "Ctrl-C in measurements"
mettle=${METTLE:-$PWD/build/mettle}
n=0 failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

result() { # result STATUS NAME
  n=$((n + 1))
  if [ "$1" = 0 ]; then echo "ok $n - $2"; else
    echo "not ok $n - $2"; sed 's/^/# /' "$work/out" "$work/err"; failed=1
  fi
}

# Run the code in 'work/script.lua', send SIGINT once it has said "ready" and a
# moment has passed; output and status are left in files.
interrupt() {
  "$mettle" "$work/script.lua" >"$work/out" 2>"$work/err" &
  local pid=$!
  for _ in $(seq 1200); do grep -q ready "$work/out" && break; sleep 0.1; done
  sleep "$1"
  kill -INT $pid
  wait $pid
  echo $? >"$work/status"
}

cat >"$work/script.lua" <<'LUA'
local timing = require "lua.workload.timing"
local k, x = gpu.kernel "relu", gpu.buffer(1e5)
print "ready"
io.stdout:flush()
local i = 0
local t = timing.measure(function(n)
  i = i + 1
  local r = k { x, x, 1e5, grid = 1e5, repeats = n }
  return i % 2 == 0 and r.time or 1e6 * r.time -- never steady
end, { budget = 60, most = math.huge })
print("cut", t.cut, t.count > 0, t.median > 0)
LUA
interrupt 1
grep -q $'^cut\ttrue\ttrue\ttrue' "$work/out" && [ "$(cat "$work/status")" = 0 ]
result $? "a measurement ends with its samples so far"

cat >"$work/script.lua" <<'LUA'
local function launch(p)
  if p.n == 2 then print "ready" io.stdout:flush() end
  local k = gpu.kernel "relu"
  local x = gpu.buffer(100)
  return { k, x, gpu.buffer(100), 100, grid = 100 }
end
local values = {}
for i = 1, 100000 do values[i] = i end
local r = sweep { launch, over = { n = values }, budget = 0.05 }
print("cut", r.cut, #r.points > 0, #r.points < 100000)
print(tostring(r):find "interrupted" ~= nil)
LUA
interrupt 1
grep -q $'^cut\ttrue\ttrue\ttrue' "$work/out" && grep -q '^true' "$work/out"
result $? "a sweep ends with its points so far"

cat >"$work/script.lua" <<'LUA'
print "ready"
io.stdout:flush()
local ok = pcall(require("lua.workload.timing").measure, function() while true do end end)
print "went on"
LUA
interrupt 1
! grep -q "went on" "$work/out" && [ "$(cat "$work/status")" = 130 ]
result $? "nothing measured: interrupted, as everywhere"

echo "1..$n"
exit $failed
