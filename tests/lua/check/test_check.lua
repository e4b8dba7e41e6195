-- test_check.lua - check{…} from Lua: the report as data and in words, its
-- options, what it accepts and refuses. What is found in which kernel:
-- test_zoo.lua.
--
-- Guards: lua/check/check.lua, lua/check/, lua/bind/tools/check.c: the report
-- as data and in words, options, copies, misuse; lua/check/{arguments,
-- text}.lua, lua/bind/tools/launch_copies.c
local t = dofile "tests/tap.lua"
t.compiler "check{…}"
local json = require "mettle.json"

local function lines_of(text)
  local list = {}
  for line in (text .. "\n"):gmatch "([^\n]*)\n" do list[#list + 1] = line end
  return list
end

local twice = gpu.kernel [=[
  kernel void twice(device const float *x [[buffer(0)]],
                    device float *y [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) {
    y[i] = 2 * x[i];
  }
]=]

local reduce = gpu.kernel [=[
#include <metal_stdlib>
using namespace metal;
kernel void reduce(device const float *in [[buffer(0)]],
                   device float *out [[buffer(1)]],
                   uint i [[thread_position_in_grid]],
                   uint t [[thread_position_in_threadgroup]],
                   uint g [[threadgroup_position_in_grid]]) {
  threadgroup float part[64];
  part[t] = in[i];
  for (uint n = 32; n > 0; n /= 2) {
    if (t < n) part[t] += part[t + n];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (t == 0) out[g] = part[0];
}
]=]

---------------------------------------------------------------------- findings

t.test("a finding is data: where, what, who, how often", function()
  local x, y = gpu.buffer(100):random(1), gpu.buffer(100)
  local r = check { twice, x, y, grid = 110, group = 32 }
  t.ok(not r.ok and #r >= 1)
  local f
  for _, one in ipairs(r) do if one.buffer == "y" then f = one end end
  t.ok(f, tostring(r))
  t.equal(f.kind, "out-of-bounds")
  t.equal(f.line, 4)
  t.equal(f.index, 100)
  t.equal(f.length, 100)
  t.equal(f.how, "write")
  t.equal(f.count, 10)
  t.equal(f.space, "device")
  local first = f.threads[1]
  t.equal(first.grid[1], 100)
  t.equal(first.group[1], 3)
  t.equal(first.position[1], 4)
  t.equal(first.lane, 4)
  t.has(f.message, "y[100] is written, but y has 100 elements: 0 to 99")
  t.has(f.advice, "if (i >= n) return;")
end)

t.test("its block has the line, a caret, the threads, a way out, a word; it fits a terminal", function()
  local r = check { reduce, gpu.buffer(128):random(1), gpu.buffer(2),
    grid = 128, group = 64 }
  t.ok(#r >= 1, tostring(r))
  for _, f in ipairs(r) do
    local lines = lines_of(tostring(f))
    t.ok(#lines <= 10, tostring(f))
    for _, line in ipairs(lines) do t.ok(utf8.len(line) <= 80, line) end
  end
  local text = tostring(r[1])
  t.has(text, "race: part[")
  t.has(text, "(threadgroup memory)")
  t.has(text, "    9 | part[t] = in[i];")
  t.has(text, "   11 | if (t < n) part[t] += part[t + n];")
  t.has(text, "^ thread ")
  t.has(text, "threadgroup_barrier(mem_flags::mem_threadgroup)")
  t.has(text, 'see glossary "race"')
  t.equal(r[1].line, 11)
  t.equal(r[1].other_line, 9)
  t.ok(r[1].apart == "simdgroups" or r[1].apart == "lanes")
end)

t.test("the JSON is a list with the fields of a CI", function()
  local r = check { twice, gpu.buffer(10), gpu.buffer(10), grid = 12 }
  local list = json.decode(r:json())
  t.equal(#list, #r)
  t.equal(list[1].kind, "out-of-bounds")
  t.equal(list[1].kernel, "twice")
  t.equal(list[1].line, 4)
  t.ok(list[1].column > 0)
  t.equal(list[1].index, 10)
  t.equal(list[1].threads[1][1], 10)
  t.equal(list[1].message, r[1].message)
  t.equal(check { twice, gpu.buffer(10), gpu.buffer(10), grid = 10 }:json(),
    "[]")
end)

t.test("clean says what was looked at", function()
  local r = check { twice, gpu.buffer(100):random(1), gpu.buffer(100),
    grid = 100, schedules = 2, seed = 5 }
  t.ok(r.ok and #r == 0, tostring(r))
  t.equal(r.seed, 5)
  t.equal(r.schedules, 2)
  local text = tostring(r)
  t.has(text, "clean: twice, 100 threads in 1 threadgroup")
  t.has(text, "all of y is written")
  t.has(text, "2 other schedules (seed 5)")
  for _, line in ipairs(lines_of(text)) do t.ok(utf8.len(line) <= 80, line) end
end)

----------------------------------------------------------------------- buffers

t.test("works on copies, or in place if asked", function()
  local x, y = gpu.buffer(10):fill(3), gpu.buffer(10):fill(-1)
  check { twice, x, y, grid = 10 }
  t.ok(y:equals(gpu.buffer(10):fill(-1)))
  check { twice, x, y, grid = 10, inplace = true }
  t.ok(y:equals(gpu.buffer(10):fill(6)))
end)

t.test("a view ends where it ends, and views of one buffer share its copy", function()
  local whole = gpu.buffer(64):fill(1)
  local r = check { twice, whole:view(0, 8), whole:view(8, 8), grid = 8 }
  t.ok(r.ok, tostring(r))
  r = check { twice, whole:view(0, 8), gpu.buffer(9), grid = 9 }
  t.equal(r[1] and r[1].index, 8)
  local shift = gpu.kernel [=[
    kernel void shift(device const float *a [[buffer(0)]], device float *b [[buffer(1)]],
                      uint i [[thread_position_in_grid]]) { b[i] = a[i]; }
  ]=]
  r = check { shift, whole:view(0, 32), whole:view(1, 32), grid = 32 }
  t.ok(r[1] and r[1].kind == "race", "overlapping views race:\n" .. tostring(r))
end)

t.test("outputs: guessed, named, or none", function()
  local half = gpu.kernel [=[
    kernel void fill(device float *y [[buffer(0)]], uint i [[thread_position_in_grid]]) { y[i] = 1; }
  ]=]
  local r = check { half, gpu.buffer(100), grid = 50 }
  t.equal(r[1] and r[1].kind, "coverage", tostring(r))
  t.ok(check { half, gpu.buffer(100), grid = 50, outputs = {} }.ok)
  t.ok(not check { half, gpu.buffer(100), grid = 50, outputs = { "y" } }.ok)
  t.raises("'z' is no buffer or texture of fill", check, { half, gpu.buffer(100), grid = 50, outputs = { "z" } })
end)

t.test("columns are those of the source as typed", function()
  local k = gpu.kernel [=[
    kernel void k(device float *x [[buffer(0)]], device int *y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
      float v = float(y[i]) + (x[i + 1]); y[i + 7] = v > 1.0;
    }
  ]=]
  local r = check { k, gpu.buffer(8), gpu.buffer("int", 8), grid = 8,
    outputs = {} }
  local columns = {}
  for _, f in ipairs(r) do
    if f.kind == "out-of-bounds" then columns[f.buffer] = f.column end
  end
  t.equal(columns.x, 32)
  t.equal(columns.y, 43)
end)

t.test("undefined: contents that mean nothing must not be read", function()
  local add = gpu.kernel [=[
    kernel void add(device float *y [[buffer(0)]], uint i [[thread_position_in_grid]]) { y[i] += 1; }
  ]=]
  t.ok(check { add, gpu.buffer(10), grid = 10 }.ok)
  local r = check { add, gpu.buffer(10), grid = 10, undefined = { "y" } }
  t.equal(r[1] and r[1].kind, "uninitialised", tostring(r))
end)

----------------------------------------------------------------- what is asked

t.test("takes what a launch takes: names, values, structs, threadgroup memory", function()
  local k = gpu.kernel [=[
    #include <metal_stdlib>
    using namespace metal;
    struct P { uint n; float by; };
    kernel void k(device float *x [[buffer(0)]], constant P &p [[buffer(1)]],
                  threadgroup float *s [[threadgroup(0)]],
                  uint i [[thread_position_in_grid]], uint t [[thread_position_in_threadgroup]]) {
      s[t] = x[i] * p.by;
      threadgroup_barrier(mem_flags::mem_threadgroup);
      if (i < p.n) x[i] = s[t ^ 1];
    }
  ]=]
  local x = gpu.buffer(64):random(1)
  t.ok(check { k, x, { n = 64, by = 2 }, grid = 64, group = 32,
    threadgroup = 128 }.ok)
  t.ok(check { k, p = { n = 64, by = 2 }, x = x, groups = 2, group = 32,
    s = 128 }.ok)
  local r = check { k, x, { n = 64, by = 2 }, grid = 64, group = 32,
    threadgroup = 64 }
  t.equal(r[1] and r[1].kind, "out-of-bounds")
  t.equal(r[1].buffer, "s")
end)

t.test("a parameter called seed is the kernel's", function()
  local k = gpu.kernel [=[
    kernel void k(device float *x [[buffer(0)]], constant uint &seed [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) { x[i + seed] = 1; }
  ]=]
  t.ok(check { k, gpu.buffer(4), seed = 0, grid = 4 }.ok)
  t.ok(not check { k, gpu.buffer(4), seed = 3, grid = 4 }.ok)
end)

t.test("macros, function constants and files are compiled as the kernel was", function()
  local k = gpu.kernel([=[
    constant int shift [[function_constant(0)]];
    kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i + shift + MORE] = 1; }
  ]=], { defines = { MORE = 2 }, constants = { shift = 3 } })
  local r = check { k, gpu.buffer(10), grid = 6 }
  t.equal(r[1] and r[1].index, 10, tostring(r))
end)

t.test("misuse is said in a sentence", function()
  t.raises("check{k, a, b, grid = 1000}", check, {})
  t.raises("check{k, a, b, grid = 1000}", check, { 1, 2 })
  t.raises("how many threads?", check, { twice, gpu.buffer(1), gpu.buffer(1) })
  t.raises("seed is a whole number", check, { twice, gpu.buffer(1), gpu.buffer(1), grid = 1, seed = "x" })
  t.raises("has no parameter", check, { twice, gpu.buffer(1), gpu.buffer(1),
    grid = 1, frobnicate = 1 })
  t.raises("there is no kernel 'nonsuch'", check, "nonsuch")
end)

t.test("the number of findings can be limited", function()
  local k = gpu.kernel [=[
    kernel void k(device float *x [[buffer(0)]]) {
      x[-1] = 1;
      x[-2] = 1;
      x[-3] = 1;
    }
  ]=]
  local r = check { k, gpu.buffer(1), grid = 1, findings = 2, outputs = {} }
  t.equal(#r, 2)
  t.equal(r.dropped, 1)
  t.has(tostring(r), "1 more not shown")
end)

t.test("lessons get the findings of a workload", function()
  local p = require "lua.workload.kernels".workload("relu", { n = 100 })
  p.reset()
  local list = require "lua.check.check".findings(p.steps[1].kernel,
    p.steps[1].launch, p)
  t.equal(#list, 0)
end)

-- A kernel of thousands of private variables, as elliptic curves have: those
-- that are watched for being read too early are limited, and it is said.
t.test("more private variables than are watched", function()
  local body = {}
  for i = 1, 160 do body[i] = ("  Big b%d = b%d; b%d.v[i & 15] += %d;"):format(i, i - 1, i, i) end
  local k = gpu.kernel([=[
struct Big { float v[16]; };
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  Big b0;
  for (int k = 0; k < 16; k++) b0.v[k] = x[i];
]=] .. table.concat(body, "\n") .. "\n  x[i] = b160.v[i & 15];\n}\n")
  local r = check { k, gpu.buffer(32):fill(1), grid = 32 }
  t.equal(#r, 0)
  t.has(r.unchecked[1] or "", "too many private variables: b")
end)

t.test("threads that wait at another barrier are not called missing", function()
  local source = [=[
#include <metal_stdlib>
using namespace metal;
kernel void halves(device float *out [[buffer(0)]], uint t [[thread_index_in_threadgroup]]) {
  threadgroup float s[96];
  s[t] = t;
  if (t < 32) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
  } else if (t < LAST) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  out[t] = s[t];
}
]=]
  local function barrier_of(last)
    local one = gpu.kernel(source, { defines = { LAST = tostring(last) } })
    for _, f in ipairs(check { one, gpu.buffer(96), grid = 96, group = 96 }) do
      if f.kind == "divergent-barrier" then return f end
    end
  end
  local f = barrier_of(96)
  t.has(f.message, "only 32 of 96 threads reach this barrier (64 threads wait at another barrier, on line 9)")
  t.equal(f.other_line, 9)
  t.equal(f.threads[1].position[1], 32)
  t.has(tostring(f), "elsewhere: thread 32")
  t.ok(not tostring(f):find "missing")
  f = barrier_of(64) -- here the last 32 are
  t.has(tostring(f), "missing: thread 64")
end)

t.test("coverage says what else it may be, and how to say so", function()
  local part = gpu.kernel [=[
kernel void part(device float *out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = 1; }
]=]
  local out = gpu.buffer(128)
  local r = check { part, out, grid = 100 }
  t.equal(r[1].kind, "coverage")
  t.has(r[1].advice, "round the number of groups up")
  t.has(r[1].advice, "If it writes a part on purpose, say outputs = {}.")
  t.ok(check { part, out, grid = 100, outputs = {} }.ok)
  local own = gpu.kernel [=[
kernel void own(device float *out [[buffer(0)]], uint g [[threadgroup_position_in_grid]],
                uint n [[threads_per_threadgroup]], uint t [[thread_position_in_threadgroup]]) { out[g * n + t] = 1; }
]=]
  r = check { own, gpu.buffer(100), grid = 100, group = 32 }
  t.equal(r[1].kind, "coverage")
  t.has(r[1].advice, "dispatch_threads_per_threadgroup")
end)

t.test("mettle check has a time limit of its own", function()
  local command = require "lua.check.command"
  local file = os.tmpname()
  local f = assert(io.open(file, "w"))
  f:write "kernel void e(device int *a [[buffer(0)]]) { while (a[0] < 100) a[0] = a[0] * 1; }\n"
  f:close()
  t.ok(command.seconds > 0 and command.seconds <= 600, "a default")
  local before = command.seconds
  command.seconds = 0.5
  local r = command.check { file, "--grid", "1", "--arg", "a=int[1]:zero" }
  command.seconds = before
  os.remove(file)
  t.has(r.stopped, "time limit of 0.5 s")
  t.has(r.stopped, "--time-limit 2.5 gives it more")
end)

-- inlining folds what is undefined, unless it is kept from it
t.test("a shift and a division in a function are found", function()
  local k = gpu.kernel [=[
    static uint far(uint x, uint by) { return x << by; }
    static uint part(uint x, uint of) { return x / of; }
    kernel void f(device uint *o [[buffer(0)]], constant uint &a [[buffer(1)]]) {
      o[0] = far(a, 33);
      o[1] = part(a, 0);
      uchar4 v = uchar4(6) << 9;
      o[2] = v.x;
    }
  ]=]
  local o = gpu.buffer("uint", 3)
  local r = check { k, o, 200, grid = 1, inplace = true }
  t.equal(#r, 3, tostring(r))
  t.equal(r[1].kind .. r[1].line .. r[2].kind .. r[2].line, "shift1division-by-zero2")
  t.equal(o[0], 400)
  t.equal(o[2], 12)
end)

t.test("fields of packed structs are neighbours, and not aligned", function()
  local function findings(body)
    local k = gpu.kernel([=[
      struct __attribute__((packed)) S { uchar c; float f; };
      struct __attribute__((packed)) V { uchar c; float3 v; };
      kernel void k(device S *s [[buffer(0)]], device V *v [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) { ]=] .. body .. "}")
    return tostring(check { k, gpu.buffer("uchar", 5 * 67),
      gpu.buffer("uchar", 17 * 67), grid = 67, outputs = {} })
  end
  t.has(findings "s[i].f += 3;", "clean")
  t.has(findings "v[i].v.y = v[i].v.z;", "clean")
  t.has(findings "s[i].f = s[i + (i < 66)].f;", "race")
end)

t.done()
