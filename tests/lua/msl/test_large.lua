-- test_large.lua - large libraries, whose kernels are compiled when they are
-- taken (msl/signatures_only.c): what is known of a library and of its kernels,
-- and what is said of their mistakes, is what small ones have. The host takes
-- them: of no device.
--
-- Guards: msl/signatures_only.c, msl/reader/strip_kernels.c: large libraries,
-- whose kernels are compiled when they are taken, are to their users what small
-- ones are
local t = dofile "tests/tap.lua"
gpu.use "host"
t.compiler "large libraries"

-- A library of some size: a template with a long body and its instances, and
-- after it, or among it, what a test is about.
local INSTANCES = 80

local function filler()
  local text = { "template <typename T, int N> kernel void fill(device T *a [[buffer(0)]], uint i [[thread_position_in_grid]]) {",
                 "  T x = a[i];" }
  for k = 1, 40 do
    text[#text + 1] = ("  for (int j%d = 0; j%d < N; j%d++) x = x * T(%d) + T(j%d) + a[(i + %d) %% 32];"):format(k, k, k, k, k, k)
  end
  text[#text + 1] = "  a[i] = x;"
  text[#text + 1] = "}"
  for k = 1, INSTANCES do
    text[#text + 1] = ('template [[host_name("fill_" "%d")]] kernel void fill<%s, %d>(device %s *, uint);')
      :format(k, k % 2 == 0 and "float" or "int", k, k % 2 == 0 and "float"
        or "int")
  end
  return table.concat(text, "\n") .. "\n"
end

local HEAD = "#include <metal_stdlib>\nusing namespace metal;\n"
local FILLER = filler()

local function library(text, options)
  return gpu.library(HEAD .. FILLER .. text, options)
end

-- The line of the library that begins the part with 'mark'.
local function line_of(text, mark)
  local at = assert(text:find(mark, 1, true))
  local _, before = (HEAD .. FILLER .. text:sub(1, at)):gsub("\n", "")
  return before + 1
end

local ALL = [=[
struct Pair { float a; uint b[3]; packed_float3 c; };
constant bool DOUBLE [[function_constant(3)]];
constant float SCALE [[function_constant(4)]];
static float twice(float x) { return DOUBLE ? 2 * x : x; }

kernel void scale(device float *x [[buffer(0)]], constant Pair &p [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
  x[i] = twice(x[i]) * p.a + p.b[2] + p.c.z;
}
kernel void outer(device float *x [[buffer(0)]], constant Pair &p [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
  scale(x, p, i);
}
template <typename T> kernel void plain(device T *x, uint i [[thread_position_in_grid]]) { x[i] = T(i) + 1; }
template kernel void plain<int>(device int *, uint);
template kernel void plain<float>(device float *, uint);
namespace deep { kernel void inside(device int *x, uint i [[thread_position_in_grid]]) { x[i] = 7; } }

kernel void race(device const float *in [[buffer(0)]], device float *out [[buffer(1)]],
                 uint t [[thread_position_in_threadgroup]]) {
  threadgroup float shelf[64];
  shelf[t] = in[t];
  out[t] = shelf[63 - t];
}
kernel void stray(device int *far [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  int private_place[4] = {1, 2, 3, 4};
  far[i + 100000000] = private_place[i % 4];
}
]=]

local all = library(ALL)

t.test("its kernels are listed, in the order of the source", function()
  local names = all:kernels()
  t.equal(#names, INSTANCES + 7)
  t.equal(table.concat(names, " ", INSTANCES + 1), "scale outer plain<int> plain<float> deep::inside race stray")
end)

t.test("instances, structs and function constants work as ever", function()
  local p = { a = 10, b = { 0, 0, 3 }, c = { 0, 0, 4 } }
  for value, answer in pairs { [true] = 27, [false] = 17 } do
    local k, x = all:kernel("scale", { DOUBLE = value }), gpu.buffer { 1, 1, 1 }
    k { x, p, grid = 3 }
    t.equal(x[2], answer)
  end
  local x = gpu.buffer("int", 2)
  all:kernel "plain<int>" { x, grid = 2 }
  t.equal(x[1], 2)
  all:kernel "deep::inside" { x, grid = 2 }
  t.equal(x[1], 7)
end)

t.test("a kernel that calls another one", function()
  local x = gpu.buffer { 1, 1, 1 }
  all:kernel("outer", { [3] = true }) { x, { a = 10, b = { 0, 0, 3 },
    c = { 0, 0, 4 } }, grid = 3 }
  t.equal(x[0], 27)
end)

t.test("check names the variable and both lines of a race", function()
  local r = check { all:kernel "race", gpu.buffer(64):random(1), gpu.buffer(64),
    grid = 64, group = 64 }
  t.ok(#r >= 1, tostring(r))
  t.has(tostring(r[1]), "race: shelf[")
  t.equal(r[1].line, line_of(ALL, "out[t] = shelf"))
  t.equal(r[1].other_line, line_of(ALL, "shelf[t] = in"))
end)

t.test("a fault has its line", function()
  local ok, why = pcall(all:kernel "stray", { gpu.buffer("int", 4), grid = 4 })
  t.ok(not ok)
  t.has(why, tostring(line_of(ALL, "far[i + 100000000]")))
end)

t.test("the profile has the lines of the source, the listing its names", function()
  local k = all:kernel "race"
  local r = profile { k, gpu.buffer(64):random(1), gpu.buffer(64), grid = 64,
    group = 64 }
  t.has(tostring(r), tostring(line_of(ALL, "shelf[t] = in")))
  t.has(k:ir(), "shelf")
end)

t.test("any number of kernels is taken, and each works", function()
  for n = 1, 12 do
    local x = gpu.buffer(n % 2 == 0 and "float" or "int", 32)
    all:kernel("fill_" .. n) { x, grid = 32 }
  end
  local a, b = gpu.buffer("int", 32):fill(1), gpu.buffer("int", 32):fill(1)
  all:kernel "fill_3" { a, grid = 1 } -- the first alone, the other among all
  local one = gpu.kernel(HEAD .. FILLER:gsub("template %[%[host_name.-;\n", "")
             .. 'template [[host_name("one")]] kernel void fill<int, 3>(device int *, uint);')
  one { b, grid = 1 }
  t.ok(a:equals(b))
end)

t.test("there is no kernel of another name", function()
  local ok, why = pcall(all.kernel, all, "fill_81")
  t.ok(not ok)
  t.has(why, "the source has no kernel 'fill_81'")
end)

---------------------------------------------------------------------- mistakes

local function refused(text)
  local ok, why = pcall(library, text)
  t.ok(not ok, "it compiles")
  return tostring(why)
end

t.test("what Clang refuses is said of the library", function()
  local text = "kernel void a(device float *x) {\n  x[0] = y;\n}\n"
  local why = refused(text)
  t.has(why, "use of undeclared identifier 'y'")
  t.has(why, (":%d:10: error"):format(line_of(text, "x[0] = y")))
end)

t.test("so is what is wrong with a parameter", function()
  local text = "kernel void a(device float *x,\n  float i [[thread_position_in_grid]]) {\n  x[0] = i;\n}\n"
  local why = refused(text)
  t.has(why, "invalid type 'float' for attribute 'thread_position_in_grid'")
  t.has(why, (":%d:"):format(line_of(text, "float i")))
end)

t.test("and of address spaces, and of two kernels with one name", function()
  t.has(refused "void f(device float *x) {}\nkernel void a(threadgroup float *x) { f(x); }\n", "address space")
  t.has(refused '[[host_name("fill_7")]] kernel void a(device float *x) { x[0] = 1; }\n', "a kernel named 'fill_7' exists already")
end)

t.test("what only its code shows is said of the kernel, with its line; others work", function()
  local text = "float absent(float x);\nkernel void a(device float *x) {\n  x[0] = absent(x[0]);\n}\nkernel void b(device float *x) { x[0] = 5; }\n"
  local lib = library(text)
  local ok, why = pcall(lib.kernel, lib, "a")
  t.ok(not ok)
  t.has(why, "function 'absent' is declared but not defined")
  t.has(why, (":%d:"):format(line_of(text, "absent(x[0])")))
  local x = gpu.buffer(1)
  lib:kernel "b" { x, grid = 1 }
  t.equal(x[0], 5)
end)

t.done()
