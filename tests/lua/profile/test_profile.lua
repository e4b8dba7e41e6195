-- test_profile.lua - profile{…}: counts of small kernels that can be worked out
-- by hand, its fields, and advice that follows from the numbers.
--
-- Guards: profile{…}: counts that can be worked out by hand, its fields, text
-- and advice; lua/bind/tools/{launch_copies, profile}.c, lua/profile/{advice,
-- profile, report_words, text}.lua
local t = dofile "tests/tap.lua"

local function kernel(body, more)
  return gpu.kernel("#include <metal_stdlib>\nusing namespace metal;\n"
    .. "kernel void k(device const float *x [[buffer(0)]],\n"
    .. "              device float *y [[buffer(1)]],\n"
    .. "              uint i [[thread_position_in_grid]],\n"
    .. "              uint t [[thread_position_in_threadgroup]]" .. (more or "") .. ") {\n"
    .. body .. "\n}\n")
end
local FIRST = 7 -- the line of the body

local function run(k, n, group, size)
  return profile { k, gpu.buffer(size or n):random(1), gpu.buffer(size or n),
    grid = n, group = group or 64 }
end

t.test("one read and one write a thread, side by side: ideal", function()
  local p = run(kernel "y[i] = x[i] * 2;", 1024)
  t.equal(p.threads, 1024)
  t.equal(p.groups, 16)
  t.equal(p.simdgroups, 32)
  t.equal(p.device_reads, 1024)
  t.equal(p.device_writes, 1024)
  t.equal(p.reads_per_thread, 1)
  t.equal(p.writes_per_thread, 1)
  t.equal(p.device_read_bytes, 4096)
  t.equal(p.bytes, 8192)
  t.equal(p.unique_bytes, 8192)
  t.equal(p.total.lines, 64)
  t.equal(p.coalescing, 1)
  t.equal(p.active, 1)
  t.equal(p.operations, 1024)
  t.near(p.intensity, 1 / 8, 1e-9)
  t.equal(p.barriers, 0)
  t.equal(p.lines[FIRST].device_reads, 1024)
  t.near(p.lines[FIRST].share, 1, 0.5)
end)

t.test("what was stopped before it ran has a sentence, and no advice", function()
  local p = run(kernel "y[i] = x[i] * 2;", 64)
  p.stopped, p.instructions = "its code was not made within the time limit of 2 s", 0
  local said = tostring(p)
  t.has(said, "Stopped before it ran: its code was not made")
  t.ok(not said:find "glossary" and not said:find "memory", "no advice")
end)

t.test("textures: no rate is made of bytes that are not counted", function()
  local k = gpu.kernel [=[
#include <metal_stdlib>
using namespace metal;
kernel void inverted(texture2d<float, access::read> a [[texture(0)]], texture2d<float, access::write> b [[texture(1)]],
                     uint2 p [[thread_position_in_grid]]) { b.write(1.0f - a.read(p), p); }]=]
  local a, b = gpu.texture("r32float", 64, 32), gpu.texture("r32float", 64, 32)
  local p = profile { k, a, b, grid = { 64, 32 }, group = { 32, 8 } }
  t.equal(p.operations, 64 * 32)
  t.equal(p.intensity, nil)
  t.equal(p.roofline, nil)
  local text = tostring(p)
  t.ok(not text:find "0 FLOP/s" and not text:find "memory%-bound"
    and not text:find "coalesced", text)
  t.has(text, "the bytes of textures are not counted")
  t.ok(#p:json() > 0)
end)

t.test("what does not stand out is said as it is", function()
  -- every access is one element askew: 3 lines for 2 that are needed
  local p = run(kernel "y[i + 1] = x[i + 1];", 1023, 1023, 1024)
  local text = tostring(p):gsub("%s+", " ")
  t.ok(p.coalescing < 0.8 and p.coalescing > 0.4, "coalescing " .. p.coalescing)
  t.has(text, "Nothing stands out"); t.has(text, "of the memory lines moved are needed")
  t.ok(not text:find "coalesced", text)
  t.has(tostring(run(kernel "y[i] = x[i];", 1024)), "accesses are coalesced, lanes are busy")
end)

t.test("the busiest thread, which a mean hides", function()
  local p = run(kernel "if (i == 5) for (uint j = 0; j < 1024; j++) y[j] = x[j] * 2;", 1024)
  t.equal(p.busiest.device_reads, 1024)
  t.equal(p.busiest.device_writes, 1024)
  t.equal(p.reads_per_thread, 1)
  t.has(tostring(p), "busiest thread"); t.has(tostring(p), "share its work")
  p = run(kernel "y[i] = x[i] * 2;", 1024)
  t.equal(p.busiest.device_reads, 1)
  t.ok(not tostring(p):find "busiest")
end)

t.test("a stride of 32 floats: a line for each thread", function()
  local p = run(kernel "y[i] = x[i % 32 * 32 + i / 32];", 1024)
  t.ok(p.coalescing < 0.1, "coalescing is " .. p.coalescing)
  t.has(tostring(p), "neighbouring elements")
  t.has(tostring(p), "Line 7")
end)

t.test("columns of a square tile meet in one bank; a padded one does not", function()
  local body = "threadgroup float s[32][%d];\ns[t %% 32][t / 32] = x[i];\n"
    .. "threadgroup_barrier(mem_flags::mem_threadgroup);\ny[i] = s[t %% 32][t / 32];"
  local bad, good = run(kernel(body:format(32)), 1024, 1024),
    run(kernel(body:format(33)), 1024, 1024)
  t.equal(bad.conflicts, 32)
  t.equal(good.conflicts, 1)
  t.equal(good.barriers, 1)
  t.equal(good.total.issued.barrier, 32)
  t.has(tostring(bad), "bank conflict")
  t.ok(not tostring(good):find "Pad the rows")
  t.equal(bad.lines[FIRST + 1].group_writes, 1024)
end)

t.test("half of the lanes: divergence", function()
  local p = run(kernel [[
    float v = x[i];
    if (i % 2 == 0) {
      for (int k = 0; k < 50; k++) v = v * 0.5f + sin(v);
    }
    y[i] = v;]], 1024)
  t.ok(p.active < 0.75, "active: " .. p.active)
  t.ok(p.divergent >= 32)
  t.has(tostring(p), "divergence")
end)

t.test("all add to one address: contention", function()
  local k = gpu.kernel [=[
    #include <metal_stdlib>
    using namespace metal;
    kernel void k(device atomic_uint *n [[buffer(0)]], uint i [[thread_position_in_grid]]) {
      atomic_fetch_add_explicit(n, i, memory_order_relaxed);
    }
  ]=]
  local p = profile { k, gpu.buffer("uint", 1), grid = 512, group = 128 }
  t.equal(p.atomics, 512)
  t.ok(p.atomics_worst >= 32)
  t.has(tostring(p), "contention")
end)

t.test("the same on every run, and on another group size the same accesses", function()
  local k = kernel "y[i] = x[i] + x[i ^ 1];"
  local a, b, c = run(k, 1000), run(k, 1000), run(k, 1000, 256)
  t.equal(a:json(), b:json())
  t.equal(a.device_reads, 2000)
  t.equal(c.device_reads, 2000)
end)

t.test("its text says that it is a model, and fits a terminal", function()
  local text = tostring(run(kernel "y[i] = sqrt(x[i]);", 512))
  t.has(text, "profile of k: 512 threads in 8 threadgroups\n  counted by a model of a GPU")
  t.has(text, "y[i] = sqrt(x[i]);")
  t.has(text, "█")
  for line in (text .. "\n"):gmatch "([^\n]*)\n" do
    t.ok(utf8.len(line) <= 80, line)
  end
end)

t.test("its JSON has totals and lines", function()
  local p = require "mettle.json".decode(run(
    kernel "y[i] = x[i] * 2;", 64):json())
  t.equal(p.total.device_reads, 64)
  t.equal(p.lines[tostring(FIRST)].device_reads, 64)
  t.equal(p.kernel, "k")
end)

t.test("lessons ask for counts by name", function()
  local counts = require "lua.profile.profile".counts(kernel "y[i] = x[i] * 2;",
    { gpu.buffer(64), gpu.buffer(64), grid = 64 })
  t.equal(counts.device_reads, 64)
  t.equal(counts.threads, 64)
  t.equal(counts.groups, 1)
  t.equal(counts.simdgroups, 2)
end)

t.test("the library's kernels by name, and misuse", function()
  t.ok(profile { "matmul_naive", m = 32, n = 32,
    k = 32 }.operations >= 2 * 32 ^ 3)
  t.raises("profile{k, a, b, grid = 64}", profile, {})
  t.raises("how many threads?", profile, { kernel "y[i] = x[i];", gpu.buffer(1),
    gpu.buffer(1) })
end)

-- One line of a kernel each, and what all its threads together come to.
local function counted(name, body, want, options)
  options = options or {}
  t.test("by hand: " .. name, function()
    local kind = options.type or "float"
    local source = [=[
#include <metal_stdlib>
using namespace metal;
kernel void k(device TYPE *x [[buffer(0)]], device TYPE *y [[buffer(1)]], device atomic_uint *n [[buffer(2)]],
              uint i [[thread_position_in_grid]], uint t [[thread_position_in_threadgroup]]) {
  BODY
}
]=]
    source = source:gsub("TYPE", kind):gsub("BODY", (body:gsub("%%", "%%%%")))
    local p = profile { gpu.kernel(source), gpu.buffer(kind, 4096),
      gpu.buffer(kind, 4096), gpu.buffer("uint", 8), grid = 1024, group = 256 }
    for counter, value in pairs(want) do
      t.equal(p.total[counter], value, counter .. "\n" .. tostring(p))
    end
  end)
end

counted("every second", "y[i] = x[2 * i];", {
  lines = 96, lines_ideal = 64, device_reads = 1024 })
counted("across the lines", "y[i] = x[i + 1];",
  { lines = 96, lines_ideal = 64 })
counted("one for all", "y[i] = x[0];", { lines = 64, lines_ideal = 64 })
counted("bytes apart", "y[i] = x[4 * i];", { lines = 64 }, { type = "uchar" })
counted("vectors", "y[i] = x[i] * 2;", { lines = 256, lines_ideal = 256,
  operations = 4096 }, { type = "float4" })
counted("two ways", "if (i % 2) y[i] = 1; else y[i] = x[i] * 3 + 1;",
  { branches = 32, divergent = 32, device_reads = 512, operations = 1024 })
counted("eight of 32", "if (i % 32 < 8) y[i] = i;", { device_writes = 256, divergent = 32 })
counted("fused", "float v = x[i]; for (int j = 0; j < 10; j++) v = fma(v, 2.0f, 1.0f); y[i] = v;", { operations = 20480 })
counted("every second bank", "threadgroup float s[512]; s[2 * t] = x[i]; threadgroup_barrier(mem_flags::mem_threadgroup); "
  .. "y[i] = s[2 * (t ^ 1)];", { banks = 128, banks_ideal = 64 })
counted("eight counters", "atomic_fetch_add_explicit(&n[i % 8], 1, memory_order_relaxed);",
  { atomics = 1024, atomics_worst = 128 })

----------------------------------------------------------- registers, occupancy

-- A kernel that keeps n floats until its end.
local function keeps(n)
  local names, loads, sum = {}, {}, {}
  for i = 0, n - 1 do
    loads[#loads + 1] = ("float v%d = x[i + %d * 64];"):format(i, i)
    sum[#sum + 1] = ("v%d * v%d"):format(i, n - 1 - i)
  end
  local k = gpu.kernel(("kernel void keeps(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], "
    .. "uint i [[thread_position_in_grid]]) { %s y[i] = %s; y[i + 64] = %s; }"):format(table.concat(loads, "\n"),
    table.concat(sum, " + "), table.concat(sum, " - ")))
  return profile { k, gpu.buffer(64 * n), gpu.buffer(128), grid = 64,
    gpu = "M1" }
end

t.test("registers follow the values that are live at once", function()
  local few, many = keeps(4), keeps(40)
  t.ok(few.registers >= 4 and few.registers <= 12, few.registers)
  t.ok(many.registers >= 40 and many.registers <= 60, many.registers)
  local half_source = "kernel void h(device const half4 *x, device half4 *y, uint i [[thread_position_in_grid]]) { y[i] = x[i] + x[i + 64]; }"
  local wide = profile { gpu.kernel(half_source), gpu.buffer("half4", 128),
    gpu.buffer("half4", 64), grid = 64 }
  t.ok(wide.registers <= 5, wide.registers)
  t.has(tostring(many), "about " .. many.registers .. " of 32 bits")
end)

local models = require "lua.reference.gpu_models"

t.test("occupancy by hand: registers, threads, memory, groups", function()
  -- half registers and threads, as Mesa's compiler for Apple's GPUs has them
  for halves, threads in pairs { [104] = 1024, [112] = 896, [128] = 832,
    [136] = 768, [144] = 704, [160] = 640,
    [184] = 576, [208] = 512, [232] = 448, [256] = 384 } do
    local o = models.occupancy(models.find "M1",
      { group = { 32, 1, 1 }, registers = halves // 2 })
    t.equal(o.threads, threads)
    t.equal(o.limit, "registers")
  end
  local function h200(p)
    return models.occupancy(models.find "NVIDIA H200", p)
  end
  t.equal(h200 { group = { 256, 1, 1 }, registers = 64 }.threads, 1024)
  t.equal(h200 { group = { 256, 1, 1 }, registers = 32 }.share, 1)
  t.equal(h200 { group = { 32, 1, 1 }, registers = 16 }.limit, "threadgroups")
  t.equal(h200 { group = { 256, 1, 1 }, registers = 32,
    threadgroup_bytes = 100 * 1024 }.groups, 2)
  t.equal(h200 { group = { 256, 1, 1 }, registers = 300 }.spills, true)
  t.equal(models.occupancy(models.find "m4max",
    { group = { 256, 1, 1 }, registers = 128 }).limit, "threads")
end)

t.test("every GPU of the table has its numbers and their sources", function()
  for _, name in ipairs(models.names) do
    local m = models.find(name)
    t.ok(m.source and m.rates and m.cores > 0 and m.memory > 5e10
      and m.operations > 1e12 and m.threads >= 1024, name)
    t.ok(m.operations / m.memory > 10, name)
  end
  t.raises("M1, M1 Pro", profile, { "add", n = 64, gpu = "M9" })
  t.raises("gpu is the name of a GPU", profile, { "add", n = 64, gpu = 1 })
end)

t.test("gpu = …: the roofline and the report are that GPU's", function()
  local p = profile { "matmul_naive", m = 32, n = 32, k = 32, gpu = "H200" }
  t.equal(p.roofline.device, "H200")
  t.near(p.roofline.ridge, 67e12 / 4.8e12, 1e-9)
  t.has(tostring(p), "a core of H200 holds")
  t.has(tostring(plot(p)), "roofline of H200")
  t.ok(p.reuse > 1 and p.unique_lines == 3 * 32 * 32 * 4 // 128)
end)

t.done()
