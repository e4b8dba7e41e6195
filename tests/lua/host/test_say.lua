-- test_say.lua - what kernels say on the host device: os_log and assert, as
-- vectors with some lanes off, thread by thread, under check and under profile.
-- It starts Mettle again, to read what goes to standard error.
--
-- Guards: devices/host/run/kernel_log.c, devices/messages.c,
-- devices/log_format.c, metal_logging: os_log and assert in vectors, thread by
-- thread, in check and profile; devices/host/emit/kernel_log.c,
-- devices/host/scalar/kernel_log.c
local t = dofile "tests/tap.lua"
local program = os.getenv "METTLE" or "build/mettle"

local head = "#include <metal_stdlib>\n#include <metal_logging>\nusing namespace metal;\n"

-- What 'lua' says, both streams, with the kernel 'k' of that source and a
-- buffer b.
local function run(source, lua, settings)
  local name = os.tmpname()
  local file = assert(io.open(name, "w"))
  file:write(("gpu.use 'host'\nlocal k = gpu.kernel [==[%s%s]==]\nlocal b = gpu.buffer(64)\n%s\n"):format(head, source, lua))
  file:close()
  local pipe = io.popen(("%s '%s' %s 2>&1"):format(
    settings or "", program, name))
  local text = pipe:read "a"
  pipe:close()
  os.remove(name)
  return text
end

-- In both engines.
local function both(source, lua, test)
  test(run(source, lua))
  test(run(source, lua, "METTLE_ENGINE=scalar"))
end

local launch = "k{b, grid = 64, group = 32}"

local talk = [=[
constant os_log mine("my", "log");
kernel void talk(device float *b [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  b[i] = 0.5f * i;
  if (i % 32 == 3)
    os_log_default.log_info("%u: %.2f|%d|%x|%s|%4d|%-4d|%c|%%", i, b[i], -int(i), -1, "text", 7, 8, 'A');
  if (i == 5) mine.log_error("%v4f|%.1f|%.2f|%v2u|%hhd|%lu|%d", float4(1, 2, 3, i), float2(1.5), half(0.25), uint2(i, 7), char(-3),
                             ulong(1) << 40);
}
]=]
local first = "kernel: 3: 1.50|-3|ffffffff|text|   7|8   |A|%\n"
local second = "kernel, error: 1.000000,2.000000,3.000000,5.000000|1.5,1.5|0.25|5,7|-3|1099511627776|(no value)\n"
local third = "kernel: 35: 17.50|-35|ffffffff|text|   7|8   |A|%\n"

t.test("formats, types and vectors, from the lanes that are there, in the order of the groups", function()
  both(talk, launch, function(text) t.equal(text, first .. second .. third) end)
end)

t.test("check and profile say it once", function()
  both(talk, "check{k, b, grid = 64, group = 32, schedules = 3}", function(text) t.equal(text, first .. second .. third) end)
  both(talk, "profile{k, b, grid = 64, group = 32}", function(text) t.equal(text, first .. second .. third) end)
end)

t.test("in loops that lanes leave one by one, each round says who is there", function()
  local source = [=[
kernel void rounds(device float *b [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  for (uint k = 0; k < i % 4; k++)
    if (i < 4) os_log_default.log("%u.%u\n", k, i);
  b[i] = i;
}
]=]
  both(source, launch, function(text)
    local lines = {}
    for line in text:gmatch "[^\n]+" do lines[#lines + 1] = line end
    table.sort(lines)
    t.equal(table.concat(lines, " "), "kernel: 0.1 kernel: 0.2 kernel: 0.3 kernel: 1.2 kernel: 1.3 kernel: 2.3")
  end)
end)

t.test("beside barriers, where threads wait as fibers", function()
  local source = [=[
kernel void wait(device float *b [[buffer(0)]], uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]]) {
  threadgroup float s[32];
  s[t] = t;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t == 31) os_log_default.log_info("%f", s[0] + s[t]);
  b[i] = s[t];
}
]=]
  both(source, launch, function(text) t.equal(text, "kernel: 31.000000\nkernel: 31.000000\n") end)
end)

t.test("only the first are kept, and the rest is counted", function()
  local source = [=[
kernel void many(device float *b [[buffer(0)]], uint i [[thread_position_in_grid]]) { os_log_default.log_debug("%u", i); }
]=]
  local text = run(source, "k{b, grid = 10000, group = 32}")
  t.has(text, "kernel: 0\nkernel: 1\n")
  t.has(text, "kernel: 255\nkernel: 9744 more messages were left out")
end)

local sure = [=[
kernel void sure(device float *b [[buffer(0)]], uint2 i [[thread_position_in_grid]]) {
  uint k = i.y * 8 + i.x;
  assert(k < 37 && "must be below");
  b[k] = k;
}
]=]

t.test("an assert that fails ends the launch, with line, thread and condition", function()
  both(sure, "print(pcall(k, {b, grid = {8, 8}, group = {8, 4}}))", function(text)
    t.has(text, 'line 6, threadgroup (0, 1, 0): thread (5, 4, 0) failed assert(k < 37 && "must be below")')
  end)
  both(sure, "print(pcall(profile, {k, b, grid = {8, 8}, group = {8, 4}}))", function(text) t.has(text, "failed assert(k < 37") end)
  both(sure, "k{b, grid = {8, 4}, group = {8, 4}} print(b[31])", function(text) t.equal(text, "31.0\n") end)
end)

t.test("check makes a finding of it", function()
  both(sure, "local r = check{k, b, grid = {8, 8}, group = {8, 4}} print(#r, r[1].kind, r[1].line, r[1].count, r[1].message)",
    function(text) t.equal(text, '1\tassert\t6\t27\tassert(k < 37 && "must be below") fails\n') end)
end)

t.test("a constant expression may have one", function()
  local source = [=[
constexpr int twice(int x) { assert(x > 0); return 2 * x; }
constant int four = twice(2);
kernel void quiet(device float *b [[buffer(0)]], uint i [[thread_position_in_grid]]) { assert(i < 64); b[i] = four; }
]=]
  t.equal(run(source, launch .. " print(b[63])"), "4.0\n")
end)

t.test("NDEBUG switches it off, as in C", function()
  local wrong = "kernel void k(device float *b [[buffer(0)]], uint i [[thread_position_in_grid]]) { assert(i < 7); b[i] = 3; }\n"
  local fails = "print(pcall(function() " .. launch .. " end))"
  for _, head in ipairs { "#define NDEBUG\n#include <metal_stdlib>\n", "#define NDEBUG 1\n#include <metal_assert>\n" } do
    t.equal(run(head .. wrong, launch .. " print(b[63])"), "3.0\n")
    t.has(run(head .. "#undef NDEBUG\n#include <metal_assert>\n" .. wrong, fails), "failed assert(i < 7)")
  end
  t.has(run("#include <metal_assert>\n" .. wrong, fails), "failed assert(i < 7)")
end)
t.done()
