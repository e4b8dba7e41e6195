#!/bin/bash
# test_tiers.sh - launches run quick code first and say so; those that measure
# wait for the optimised code (devices/host/kernel/tier.h).
#
# Guards: lua/bind/gpu/launch.c, lua/workload/timing.lua: launches say that they
# ran quick code, and measurements wait for the optimised
set -u
# shellcheck source=tests/needs.sh
. tests/needs.sh; needs_llvm "quick and optimised code"
mettle=${METTLE:-$PWD/build/mettle}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/script.lua" <<'LUA'
local timing = require "lua.workload.timing"
gpu.use "host"
local number = 0
local function fresh() -- a kernel that no cache knows
  number = number + 1
  return gpu.kernel(([=[
    kernel void k%d(device float *y [[buffer(0)]],
                    uint i [[thread_position_in_grid]]) { y[i] = i * %d.5f; }
  ]=]):format(number, os.time() % 100000 * 10 + number))
end
local n, y = 0, gpu.buffer(100)
local function ok(holds, name)
  n = n + 1
  print((holds and "ok " or "not ok ") .. n .. " - " .. name)
end
local k = fresh()
local r = k { y, grid = 100 }
ok(r.quick == true, "a first launch runs quick code")
ok(tostring(r):find ", with quick code$" ~= nil, "and its result says so")
r = k { y, grid = 100, repeats = 2 }
ok(r.quick == false and not tostring(r):find "quick", "repeats wait for the optimised code")
k = fresh()
local any = false
local function run(times)
  local one = k { y, grid = 100, repeats = times }
  any = any or one.quick
  return one.time
end
timing.measure(run, { budget = 0.01 })
ok(not any, "a measurement has no quick code in it")
k = fresh()
ok(k { y, grid = 100 }.quick, "after it launches run quick code again")
timing.measure(run, { budget = 0.01, once = 1e-5 })
ok(not any, "nor has one of what just ran")
pcall(timing.measure, function() error "wrong" end, { budget = 0.01 })
ok(fresh() { y, grid = 100 }.quick, "a measurement that fails leaves nothing behind")
print("1.." .. n)
LUA
METTLE_TIER=both "$mettle" "$work/script.lua" 2>"$work/err" >"$work/out"
status=$?
cat "$work/out"
sed 's/^/# /' "$work/err"
[ "$status" = 0 ] && ! grep -q '^not ok' "$work/out"
