-- lanes.lua - lanes of a SIMD-group that part, one by one or by branches, mean
-- by their active lanes on the cuda device what they mean on the host
-- (tests/cuda/test_apart.sh; on a GPU by make test-cuda).
local t = dofile "tests/tap.lua"
local HEAD = [=[
#include <metal_stdlib>
using namespace metal;
kernel void part(device const uint *in [[buffer(0)]], device uint *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
  uint x = in[i], y = 0;
]=]
local SIZES = { { 64, 64 }, { 100, 40 }, { 96, 3 } } -- threads, of a group

local function compare(body)
  local answers = {}
  for _, device in ipairs { "host", "cuda" } do
    gpu.use(device)
    local k = gpu.kernel(HEAD .. body .. "\n  out[i] = x * 31 + y;\n}")
    for _, size in ipairs(SIZES) do
      local n = size[1]
      local from, to = gpu.buffer("uint", n), gpu.buffer("uint", n)
      for i = 0, n - 1 do from[i] = (i * 2654435761 >> 7) % 1000 end
      k { from, to, grid = n, group = size[2] }
      for i = 0, n - 1 do
        local list = answers[device] or {}
        answers[device] = list
        list[#list + 1] = to[i]
      end
    end
  end
  for at, value in ipairs(answers.host) do
    if answers.cuda[at] ~= value then
      t.equal(answers.cuda[at], value, "thread " .. at - 1)
      return
    end
  end
end

local CASES = {
  { "a lane leaves at once", "if (lane % 3 == 1) return; y = simd_sum(x) + uint(simd_active_threads_mask().operator ulong());" },
  { "a branch and its other way",
    "if (x & 1) { y = simd_sum(x); } else { y = quad_sum(x) + simd_prefix_exclusive_sum(x); } y += simd_max(x);" },
  { "lanes leave a loop one by one",
    "for (uint k = 0; k < (x & 7); k++) { y += quad_sum(x + k); y += simd_sum(k); }" },
  { "two exits and a continue", [[
  for (uint k = 0; k < 9; k++) {
    if ((x >> k) % 5 == 4) break;
    if ((x + k) % 3 == 0) continue;
    y += simd_sum(x ^ k);
    if (y % 7 == 2) break;
  }
  y += simd_or(x);]] },
  { "an exit with an operation of its own", [[
  for (uint k = 0; k < 12; k++) {
    if ((x + k * 3) % 11 == 0) { y += simd_sum(k); break; }
    y += simd_product(k | 1u);
  }
  y = y * 3 + simd_xor(y);]] },
  { "a return inside a loop", [[
  for (uint k = 0; k < 6; k++) {
    if ((x >> k) % 13 == 1) { out[i] = k; return; }
    y += quad_max(x + k);
  }
  y += simd_sum(y);]] },
  { "a switch whose cases fall through", [[
  switch (x % 5) {
    case 0: y = 5;
    case 1: y += simd_sum(x); break;
    case 2: y = 7;
    case 3: y += simd_min(x);
    default: y += simd_sum(1u);
  }
  y += simd_sum(y);]] },
  { "a loop in a branch in a loop", [[
  for (uint k = 0; k < 5; k++) {
    if ((x + k) & 2) for (uint j = 0; j < x % 4; j++) y += simd_sum(j + lane);
    else if (lane & 1) y += simd_broadcast_first(x + k);
    x = x * 5 + 1;
  }]] },
  { "values that inactive lanes hold", [[
  uint z = lane * 3;
  if (lane >= 1) z += simd_shuffle_up(z, 1);
  for (uint k = 0; k < (lane & 3); k++) { z += 7; y += simd_shuffle_xor(z, 2); }
  if (lane % 5 == 2) y += simd_shuffle_down(z, 3);
  y += z;]] },
  { "values of lanes that never held one", [[
  uint z = 0;
  if (x % 3 == 1) { z = x + 5; y += simd_shuffle_xor(z, 1) + simd_shuffle_down(z, 9); }]] },
}

for _, case in ipairs(CASES) do
  t.test("lanes: " .. case[1], function() compare(case[2]) end)
end
t.done()
