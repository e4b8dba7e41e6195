-- faults.lua - a kernel that goes wrong on an NVIDIA GPU is one sentence with
-- its name and a remedy; buffers keep what the CPU last saw, and the next
-- launch works (tests/cuda/test_faults.sh).
local t = dofile "tests/tap.lua"
local system = require "mettle.system"
local HEAD = "#include <metal_stdlib>\nusing namespace metal;\n"

gpu.use "cuda"
local add = gpu.kernel "kernel void add(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] += 1; }"

-- After the kernel failed with these words, all is as the CPU last saw it.
local function fails(body, words, options, remedy)
  local kept, seen, lost = gpu.buffer(1000):fill(1), gpu.buffer(1000):fill(1),
    gpu.buffer(1000):fill(1)
  add { seen, grid = 1000 }
  t.equal(seen[999], 2)
  add { kept, grid = 1000 }
  t.equal(kept:sum(), 2000)
  kept[0] = 7
  add { lost, grid = 1000 } -- never looked at since
  local k = gpu.kernel(HEAD .. "kernel void wrong(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {" .. body .. "}")
  local launch = { gpu.buffer(1000), grid = 64 }
  for key, v in pairs(options or {}) do launch[key] = v end
  local start = system.now()
  local ok, why = pcall(k, launch)
  local seconds = system.now() - start
  t.ok(not ok, "it did not fail")
  why = tostring(why)
  t.has(why, "wrong")
  t.has(why, words)
  if remedy then t.has(why, remedy) end
  t.equal(select(2, why:gsub("\n", "")), 0, "one sentence: " .. why)
  t.equal(kept[0], 7)
  t.equal(kept[999], 2)
  t.equal(seen[5], 2)
  t.ok(lost[5] == 1 or lost[5] == 2, "what the CPU last saw, or what the GPU had")
  add { kept, grid = 1000 }
  t.equal(kept[0], 8)
  t.equal(kept[999], 3)
  return seconds
end

t.test("an address that is not there", function()
  fails("x[(ulong(1) << 38) + i] = 1;", "memory that is not there")
end)

t.test("a misaligned address", function()
  fails("*(device float4 *)((device char *)x + 4 + 16 * i) = float4(1);", "misaligned",
    nil, "; check{…} finds the line; ")
end)

t.test("an index far outside of a thread's own array", function()
  fails("float own[64]; for (uint j = 0; j < 64; j++) own[j] = x[j]; own[uint(x[i]) + (1u << 28)] = 1; x[i] = own[i];", "check")
end)

t.test("a trap", function() fails("if (i == 5) __builtin_trap();", "CUDA error") end)

t.test("a failed assert", function() fails("assert(x[i] > 5);", "assert") end)

t.test("an endless kernel and its time limit", function()
  local seconds = fails("while (true) x[i] += 1;", "limit", { limit = 0.5 })
  print(("# stopped after %.2f s"):format(seconds))
end)

t.test("a thread's array that no GPU has memory for", function()
  local ok, why = pcall(function()
    local k = gpu.kernel(HEAD .. "kernel void vast(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) { float own[1000000]; for (uint j = 0; j < 1000000; j++) own[j] = x[j % 7 + i]; x[i] = own[uint(x[0])]; }")
    local x = gpu.buffer(64)
    k { x, grid = 32 }
  end)
  t.ok(not ok)
  t.has(tostring(why), "vast")
  local x = gpu.buffer(10)
  add { x, grid = 10 }
  t.equal(x[9], 1)
end)
t.done()
