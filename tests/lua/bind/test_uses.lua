-- test_uses.lua - what a kernel reads and writes is known from its code, and
-- everything that tells inputs from outputs goes by it.
--
-- Guards: devices/compiler/ir/uses.c, base/kernel_types/reflect.c,
-- lua/workload/{host_kernel, uses}.lua: what a kernel reads and writes is known
-- from its code, in argument buffers too, and compare and sweep go by it; by
-- observation where there is no compiler
local t = dofile "tests/tap.lua"
local uses = require "lua.workload.uses"

local HEAD = [=[
#include <metal_stdlib>
using namespace metal;
struct View {
  device float *p;
  float get(uint i) const { return p[i]; }
  void put(uint i, float x) { p[i] = x; }
};
struct Pair { float4 place, speed; };
struct Args { device float *x; device float *y; float factor; device float *z; };
struct Images {
  texture2d<float, access::read> from;
  texture2d<float, access::write> to;
  device float *idle;
};
device float *at(device float *p, uint n) { return p + n; }
void swap_in(device float *p, device float *q) { *p = *q; }
constant bool forward [[function_constant(0)]];
]=]
local I = "uint i [[thread_position_in_grid]]"
local II = "uint2 i [[thread_position_in_grid]]"

-- parameters, body, what it does: r reads, w writes, rw both, - neither.
local cases = {
  { "tutorial", "device float *a, device float *b, device float *c, " .. I,
    "c[i] = a[i] + b[i];", "a=r b=r c=w" },
  { "in place", "device float *a, " .. I, "a[i] += 1;", "a=rw" },
  { "unused", "device float *a, device float *b, " .. I, "b[i] = 1;",
    "a=- b=w" },
  { "objects that hold a pointer", "device float *a, device float *b, " .. I,
    "View x{a}, y{b}; y.put(i, x.get(i));", "a=r b=w" },
  { "pointers that a function gives back",
    "device float *a, device float *b, " .. I, "*at(b, i) = *at(a, i);",
    "a=r b=w" },
  { "pointers that a function takes",
    "device float *a, device float *b, " .. I, "swap_in(b + i, a + i);",
    "a=r b=w" },
  { "one of two", "device float *a, device float *b, device float *c, "
    .. "constant int &w, " .. I,
    "device float *o = w ? a : b; o[i] = c[i];", "a=w b=w c=r w=r" },
  { "a pointer that runs", "device float *a, device float *b, " .. I,
    "device float *q = b + i; for (device float *p = a; p != a + 9; p++) *q = *p;",
    "a=r b=w" },
  { "an array of pointers", "device float *a, device float *b, "
    .. "device float *c, constant int &w, " .. I,
    "device float *o[2] = {a, b}; o[w & 1][i] = c[i];", "a=rw b=rw c=r w=r" },
  { "an address that becomes a number", "device const float *a, "
    .. "device float *b, device ulong *c, " .. I,
    "c[0] = (ulong)a; c[1] = (ulong)b;", "a=r b=rw c=w" },
  { "a distance and an alignment", "device float *a, device int *b, " .. I,
    "device float *e = a + i; b[i] = int(e - a) + (((ulong)e & 15) == 0) + int(*e);",
    "a=r b=w" },
  { "atomics", "device atomic_uint *n, device uint *x, device atomic_uint *m, "
    .. "device atomic_uint *l, " .. I,
    "atomic_fetch_add_explicit(n, x[i], memory_order_relaxed);"
    .. "atomic_store_explicit(m, atomic_load_explicit(l, memory_order_relaxed), memory_order_relaxed);",
    "n=rw x=r m=w l=r" },
  { "one component", "device float4 *a, " .. I, "a[i].x = 1;", "a=w" },
  { "structs", "device Pair *a, device Pair *b, " .. I,
    "Pair p = a[i]; p.place += p.speed; b[i] = p;", "a=r b=w" },
  { "const that is cast away", "device const float *a, device float *b, " .. I,
    "((device float *)a)[i] = b[i];", "a=w b=r" },
  { "sums in the output", "device float *a, device float *b, " .. I,
    "b[i] = 0; for (int k = 0; k < 50; k++) b[i] += a[k];", "a=r b=w" },
  { "matrices", "device float *a, device float *b, device float *c",
    "simdgroup_float8x8 x, y, z; simdgroup_load(x, a, 8); simdgroup_load(y, b, 8);"
    .. "simdgroup_multiply(z, x, y); simdgroup_store(z, c, 8);",
    "a=r b=r c=w" },
  { "argument buffers", "constant Args &args, " .. I,
    "args.z[i] = args.x[i] * args.factor + args.y[i];",
    "args=r args.x=r args.y=r args.z=w" },
  { "a copy of an argument buffer", "constant Args &args, " .. I,
    "Args mine = args; mine.y[i] += mine.x[i];",
    "args=r args.x=r args.y=rw args.z=-" },
  { "textures in an argument buffer", "constant Images &m, " .. II,
    "m.to.write(m.from.read(i), i);", "m=r m.from=r m.to=w m.idle=-" },
  { "textures", "texture2d<float, access::read_write> s, "
    .. "texture2d<float, access::read_write> t, "
    .. "texture2d<float, access::read_write> u, " .. II,
    "t.write(s.read(i), i); u.write(u.read(i) + 1, i);", "s=r t=w u=rw" },
  { "arrays of textures", "array<texture2d<float, access::read>, 2> s, "
    .. "texture2d<float, access::write> t, " .. II,
    "t.write(s[0].read(i) + s[1].read(i), i);", "s=r t=w" },
}

local letters = { read = "r", write = "w", read_write = "rw", none = "-" }

local function does(k)
  local list = {}
  for _, p in ipairs(uses.params(k)) do
    if p.kind == "buffer" or p.kind == "texture" then
      list[#list + 1] = p.name .. "=" .. letters[p.access]
      for _, f in ipairs(p.fields or {}) do
        if f.access then
          list[#list + 1] = ("%s.%s=%s"):format(p.name, f.name,
            letters[f.access])
        end
      end
    end
  end
  return table.concat(list, " ")
end

for _, case in ipairs(cases) do
  t.test(case[1], function()
    local source = ("%skernel void f(%s) { %s }"):format(HEAD, case[2], case[3])
    local k = gpu.kernel(source)
    t.equal(does(k), case[4])
    t.equal(does(gpu.kernel(source)), case[4], "from the cache")
  end)
end

t.test("a function constant decides", function()
  local source = HEAD .. [=[kernel void f(device float *a, device float *b, uint i [[thread_position_in_grid]]) {
    if (forward) b[i] = a[i]; else a[i] = b[i];
  }]=]
  t.equal(does(gpu.kernel(source, { constants = { forward = true } })),
    "a=r b=w")
  t.equal(does(gpu.kernel(source, { constants = { forward = false } })),
    "a=w b=r")
end)

--------------------------------------------------------------------- compare

local N = 1000
local function kernel(parameters, body)
  return gpu.kernel(("%skernel void f(%s, %s) { %s }"):format(HEAD, parameters,
    I, body))
end
local THREE = "device float *a, device float *b, device float *c"
local function buffers()
  return gpu.buffer(N):random(1), gpu.buffer(N):random(2), gpu.buffer(N)
end

t.test("compare: the tutorials' kernel, without const, is right", function()
  local a, b, c = buffers()
  local r = compare { kernel(THREE, "c[i] = a[i] + b[i];"), a, b, c, grid = N,
    cpu = cpu.add, budget = 0.01 }
  t.equal(r.ok, true)
  t.has(tostring(r), "correct")
end)

t.test("compare: and wrong is wrong, by the name of the output", function()
  local a, b, c = buffers()
  local r = compare { kernel(THREE, "c[i] = a[i] - b[i];"), a, b, c, grid = N,
    cpu = cpu.add, budget = 0.01 }
  t.equal(r.ok, false)
  t.has(tostring(r), "wrong: c: ")
end)

t.test("compare: the output may come first, or in the middle", function()
  local a, b, c = buffers()
  for _, body in ipairs { "a[i] = b[i] + c[i];", "b[i] = a[i] + c[i];" } do
    local r = compare { kernel(THREE, body), a, b, c, grid = N, cpu = cpu.add,
      budget = 0.01 }
    t.equal(r.ok, true, body)
  end
end)

t.test("compare: a reference of one's own gets the output to fill", function()
  local a, b, c = buffers()
  local r = compare { kernel(THREE, "c[i] = a[i] * b[i];"), a, b, c, grid = N,
    budget = 0.01, cpu = function(x, y, z)
      for i = 0, N - 1 do z[i] = x[i] * y[i] end
    end }
  t.equal(r.ok, true)
end)

t.test("compare: elements that the kernel leaves alone keep their value", function()
  local a, b, c = buffers()
  c:fill(7)
  local r = compare { kernel(THREE, "if (i < 10) c[i] = a[i] + b[i];"), a, b, c,
    grid = N, budget = 0.01, cpu = function(x, y, z)
      for i = 0, 9 do z[i] = x[i] + y[i] end
    end }
  t.equal(r.ok, true)
  t.equal(c[500], 7)
end)

t.test("compare: what the reference says nothing of is named", function()
  local a, b, c = buffers()
  local d = gpu.buffer(N)
  local r = compare { kernel(THREE .. ", device float *notes",
    "c[i] = a[i] + b[i]; notes[i] = i;"), a, b, c, d, grid = N, cpu = cpu.add,
    budget = 0.01 }
  t.equal(r.ok, true)
  t.has(tostring(r), "not compared: notes")
end)

t.test("compare: outputs in an argument buffer are compared", function()
  local a, b, c = buffers()
  local function run(body, reference)
    return compare { kernel("constant Args &args", body),
      { x = a, y = b, factor = 1, z = c }, grid = N, cpu = reference,
      budget = 0.01 }
  end
  local right, wrong = "args.z[i] = args.x[i] + args.y[i];",
    "args.z[i] = args.x[i] - args.y[i];"
  t.equal(run(right, cpu.add).ok, true)
  t.equal(run(wrong, cpu.add).ok, false)
  local function own(args)
    for i = 0, N - 1 do args.z[i] = args.x[i] + args.y[i] end
  end
  t.equal(run(right, own).ok, true)
  local r = run(wrong, own)
  t.equal(r.ok, false)
  t.has(tostring(r), "wrong: args.z: ")
end)

t.test("sweep takes it, too", function()
  local a, b, c = buffers()
  local r = sweep { kernel(THREE, "c[i] = a[i] + b[i];"), a, b, c, grid = N,
    cpu = cpu.add, group_sizes = { 32, 64 }, budget = 0.01 }
  t.ok(#r.points > 0)
  for _, point in ipairs(r.points) do t.equal(point.wrong, nil) end
end)

t.test("compare of a function: what is only read is no output", function()
  local a, b, c = buffers()
  local k = kernel(THREE, "c[i] = a[i] + b[i];")
  local r = compare { function() k { a, b, c, grid = N } end, budget = 0.01,
    verify = function(out)
      local names = {}
      for name in pairs(out) do names[#names + 1] = name end
      return table.concat(names) == "c", table.concat(names)
    end }
  t.equal(r.ok, true)
end)

--------------------------------------------------------------- by observation

t.test("without a compiler, a launch shows what it writes", function()
  local function observed(parameters, body, ...)
    local list, given = {}, { ... }
    for i, b in ipairs(given) do list[i] = { value = b } end
    local k = kernel(parameters, body)
    given.grid = N
    t.ok(uses.observe(function() k(given) end, list))
    local said = {}
    for i, one in ipairs(list) do said[i] = one.observed and "w" or "r" end
    return table.concat(said)
  end
  local a, b, c = buffers()
  t.equal(observed(THREE, "c[i] = a[i] + b[i];", a, b, c), "rrw")
  t.ok(c:equals(gpu.buffer(N), 0), "contents are as before")
  cpu.add(a, b, c)
  t.equal(observed(THREE, "c[i] = a[i] + b[i];", a, b, c), "rrw",
    "the answer was there already")
  local n, m = gpu.buffer("uint", N), gpu.buffer("uint", N)
  t.equal(observed("device uint *x, device uint *y", "y[i] = x[i];", n, m),
    "rw", "zeros onto zeros")
  t.equal(observed("device uint *x, device uint *y", "y[i] = x[i] + 1;", n, n),
    "ww", "one buffer twice")
end)

t.test("names that are words of compare, sweep and profile, too", function()
  local k = gpu.kernel [=[
    kernel void k(device float *x, constant float &over,
                  constant float &group_sizes, constant float &devices,
                  constant float &gpu, uint i [[thread_position_in_grid]]) {
      x[i] = over + group_sizes + devices + gpu;
    }]=]
  local x = gpu.buffer(N)
  local function right(measure)
    x:fill(0)
    local r = measure { k, x, over = 1, group_sizes = 2, devices = 3, gpu = 4,
      grid = N, budget = measure ~= profile and 0.001 or nil,
      verify = measure ~= profile and function() return x[N - 1] == 10 end
        or nil }
    return r.model == nil and r.devices == nil
  end
  for _, measure in ipairs { compare, sweep, profile } do
    t.ok(right(measure))
  end
  t.equal(#sweep { k, x, 1, 2, 3, 4, grid = N, budget = 0.001,
    group_sizes = { 16, 32 } }.points, 2, "where it is none's argument")
end)

t.done()
