-- test_large_plain.lua - large libraries whose kernels are no templates: one
-- Clang checks them and gives the kernels' signatures (reader/strip_kernels.c),
-- and a kernel that is taken is generated with what it uses. The same source
-- without its filler, all of which is compiled at once, has the same kernels
-- and gives the same answers.
--
-- Guards: the same for libraries without templates, in every way in which
-- kernels are defined: the same source when it is small has the same kernels
-- and answers
local t = dofile "tests/tap.lua"
gpu.use "host"
t.compiler "large libraries"

local HEAD = "#include <metal_stdlib>\nusing namespace metal;\n"
local KERNELS = 64

-- 200 KB of kernels, whose code is in members that are defined elsewhere.
local function filler()
  local text = {}
  for k = 1, KERNELS do
    text[#text + 1] = ([=[
struct Fill_@ { float scale; float run(device float *x, uint i) const; };
kernel void fill_@(device float *x, constant Fill_@ &f,
                   uint i [[thread_position_in_grid]]) { x[i] = f.run(x, i); }
float Fill_@::run(device float *x, uint i) const {
  float sum = @ * scale;
]=]):gsub("@", k)
    for n = 1, 80 do
      text[#text + 1] = ("  sum = sum * %d.5f + x[(i + %d) %% 4];"):format(n, n)
    end
    text[#text + 1] = "  return sum;\n}\n"
  end
  return table.concat(text, "\n") .. "\n"
end
local FILLER = filler()

-- Every way in which a source defines kernels.
local WAYS = [=[
constant int STEP [[function_constant(3)]];
static int kept_static(int x) { return x + STEP; }
int plain_function(int x);
struct Work {
  int add;
  int run(device int *x, uint i) const;
  static int twice(int x);
  struct Inner { int go(int x); };
};
#define KERNEL(name, ...) kernel void name(device int *x, ## __VA_ARGS__)
KERNEL(by_macro, uint i [[thread_position_in_grid]]) { x[i] = 1 + int(i); }
kernel void by_member(device int *x, constant Work &w,
                      uint i [[thread_position_in_grid]]) {
  x[i] = w.run(x, i) + Work::twice(3) + plain_function(2);
}
int Work::run(device int *x, uint i) const { return x[i] + add; }
int Work::twice(int x) { return Work::Inner().go(x) * 2; }
int Work::Inner::go(int x) { return x + 100; }
int plain_function(int x) { return kept_static(x) * 1000; }
kernel void declared_first(device int *x, uint i [[thread_position_in_grid]]);
kernel void declared_first(device int *x, uint i [[thread_position_in_grid]]) {
  x[i] = 5;
}
namespace one { namespace two {
struct Pair { int a; packed_int3 b; };
kernel void deep(device int *x, constant Pair &p,
                 uint i [[thread_position_in_grid]]) { x[i] = p.a + p.b.y; }
} }
namespace one { inline namespace newer { typedef int number;
kernel void newest(device number *x, uint i [[thread_position_in_grid]]) {
  x[i] = 9;
} } }
extern "C" {
kernel void in_c(device int *x, uint i [[thread_position_in_grid]]) {
  x[i] = 11;
}
}
extern "C" kernel void also_c(device int *x,
                              uint i [[thread_position_in_grid]]) { x[i] = 12; }
[[kernel, host_name("named")]] [[max_total_threads_per_threadgroup(64)]]
void unnamed(device int *x [[buffer(2)]], device int *same [[buffer(0)]],
             threadgroup int *room [[threadgroup(1)]],
             texture2d<half, access::read> t [[texture(3)]],
             uint i [[thread_position_in_grid]]) { x[i] = same[i]; }
kernel void calls(device int *x, uint i [[thread_position_in_grid]]) {
  in_c(x, i);
  x[i] += 1;
}
template <typename T> T generic(T x) { return x * T(3); }
kernel void by_template(device int *x, uint i [[thread_position_in_grid]]) {
  threadgroup int shelf[32];
  shelf[i % 32] = generic(int(i));
  x[i] = shelf[i % 32];
}
]=]

-- A thread's place in a variable of the program, which each kernel is given.
local PLACES = [=[
uint2 place [[thread_position_in_grid]];
struct Where { int of() const; };
kernel void by_place(device int *x) { x[place.x] = Where().of() + 1; }
int Where::of() const { return int(place.x); }
]=]

local small, large = gpu.library(HEAD .. WAYS),
                     gpu.library(HEAD .. FILLER .. WAYS)

local function listed(library)
  local text = {}
  for _, name in ipairs(library:kernels()) do
    if not name:find "^fill_" then text[#text + 1] = name end
  end
  return table.concat(text, " ")
end

t.test("its kernels are those of the small one, in the same order", function()
  t.equal(#large:kernels(), #small:kernels() + KERNELS)
  t.equal(listed(large), listed(small))
end)

t.test("and have the same parameters", function()
  for _, name in ipairs(small:kernels()) do
    t.equal(tostring(large:kernel(name, { STEP = 1 })),
            tostring(small:kernel(name, { STEP = 1 })))
  end
end)

local function answer(library, name, more)
  local x = gpu.buffer("int", 40):iota()
  local args = { x, more, grid = 40 }
  library:kernel(name, { STEP = 7 })(args)
  return x
end

t.test("and give the same answers", function()
  local more = { by_member = { add = 50 },
                 ["one::two::deep"] = { a = 1, b = { 2, 3, 4 } } }
  local tried = 0
  for _, name in ipairs(small:kernels()) do
    if name ~= "named" then
      local a, b = answer(small, name, more[name]),
                   answer(large, name, more[name])
      t.ok(a:equals(b), name)
      tried = tried + 1
    end
  end
  t.equal(tried, #small:kernels() - 1)
  t.equal(answer(large, "by_member", { add = 50 })[1], 1 + 50 + 206 + 9000)
end)

t.test("so does one that reads its place from the program", function()
  local library, x = gpu.library(HEAD .. FILLER .. PLACES), gpu.buffer("int", 4)
  library.by_place { x, grid = 4 }
  t.equal(x[3], 4)
end)

t.test("so does one whose code is defined elsewhere", function()
  local x = gpu.buffer(4):fill(0)
  large:kernel "fill_3" { x, { scale = 0 }, grid = 4 }
  t.equal(x[0], 0)
end)

---------------------------------------------------------------------- mistakes

-- How often 'word' is said of the library, and what is said.
local function said(text, word)
  local ok, why = pcall(gpu.library, HEAD .. FILLER .. text)
  t.ok(not ok, "it compiles")
  local _, times = tostring(why):gsub(word, "")
  return times, tostring(why)
end

local function line_of(text, mark)
  local at = assert(text:find(mark, 1, true))
  local _, before = (HEAD .. FILLER .. text:sub(1, at)):gsub("\n", "")
  return before + 1
end

t.test("an error is said once, with its line", function()
  local text = "int spoilt(int x) {\n  return y;\n}\nkernel void a(device int *x) { x[0] = 1; }\n"
  local times, why = said(text, "undeclared identifier 'y'")
  t.equal(times, 1)
  t.has(why, (":%d:10: error"):format(line_of(text, "return y")))
end)

t.test("so is one in the parameters of a kernel", function()
  local text = "kernel void a(device Missing *x) { x[0] = 1; }\n"
  local times, why = said(text, "unknown type name")
  t.equal(times, 1)
  t.has(why, (":%d:22: error"):format(line_of(text, "Missing")))
end)

t.test("a parameter that is declared again is refused", function()
  local times = said("kernel void a(device int *x) { int x = 1; }\n",
    "redefinition of 'x'")
  t.equal(times, 1)
end)

t.test("what only its code shows is said of the kernel alone", function()
  local text = "struct A { int f(int x); int g(int x); };\nint A::g(int x) {\n  return f(x); }\nkernel void a(device int *x) { x[0] = A().g(1); }\nkernel void b(device int *x) { x[0] = 5; }\n"
  local lib = gpu.library(HEAD .. FILLER .. text)
  local ok, why = pcall(lib.kernel, lib, "a")
  t.ok(not ok)
  t.has(why, "function 'f' is declared but not defined")
  t.has(why, (":%d:"):format(line_of(text, "return f(x)")))
  local x = gpu.buffer("int", 1)
  lib:kernel "b" { x, grid = 1 }
  t.equal(x[0], 5)
end)

t.done()
