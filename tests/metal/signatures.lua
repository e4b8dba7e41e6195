-- signatures.lua - random kernels mean the same on both devices: k.params of
-- the host, whose compiler is Clang, beside those of the Metal device on its
-- stand-in, which has the reader and Metal's bindings alone.
--
--   build/standin/mettle tests/metal/signatures.lua [SEED [SOURCES]]
--
-- The one idea: whatever is drawn, the text is right MSL, so both devices must
-- take it, name the same parameters in the same order, and none may say "by
-- name" (info.unordered shows as a refused call).
local t = dofile "tests/tap.lua"
local seed, sources = tonumber(arg[1]) or 1, tonumber(arg[2]) or 6
math.randomseed(seed)
local random = math.random
local function pick(list) return list[random(#list)] end
local function chance(percent) return random(100) <= percent end

local scalars = { "float", "int", "uint", "half", "uchar", "short", "float2",
  "float3", "float4", "uint2", "packed_float3",
  "uint32_t", "unsigned int", "size_t" }
local atomics = { "atomic_uint", "atomic_int", "atomic<uint>",
  "metal::atomic_uint", "atomic_float" }
local structs = { "Params", "Point", "inner::Box", "Named", "Other", "Unnamed", "Pair<uint,float4>", "Pair< Point, Named >", "inner::Grid<Pair<half2, Point>>" }
local over_T = { "T", "T", "Pair<T, Point>", "inner::Grid< T >", "Pair<Pair<T, int>, Unnamed>" } -- in a template
local textures = { "texture2d<float>", "texture2d<half, access::write>", "texture1d<uint, access::read>",
  "texture3d<float, access::read>", "texture2d_array<float, access::write>" }
local builtins = { { "uint", "thread_position_in_grid" }, { "uint", "thread_index_in_threadgroup" },
  { "ushort", "thread_index_in_simdgroup" }, { "uint", "threads_per_grid" }, { "uint", "simdgroup_index_in_threadgroup" } }

-- An index as people write it; Clang evaluates all of them, the reader some.
local function index_text(n)
  return pick { tostring(n), tostring(n), ("%d+%d"):format(n // 2, n - n // 2),
    ("INDEX_%d"):format(n), ("Slot%d"):format(n),
    ("0x%x"):format(n), ("(%d)"):format(n), ("int(Place::at%d)"):format(n) }
end

local function indices()
  local free = {}
  for i = 0, 15 do free[i + 1] = i end
  return function() return table.remove(free, random(#free)) end
end

local function attribute(word, n, text)
  local extra = chance(15) and pick { "maybe_unused", "function_constant(flag)" } or nil
  if text:find "%[" then extra = nil end -- of the array's type, C++ says
  local own = ("%s(%s)"):format(word, index_text(n))
  if not extra then
    return chance(10) and ("[[ %s ]]"):format(own) or ("[[%s]]"):format(own)
  end
  if extra == "maybe_unused" then return chance(50) and ("[[maybe_unused]] [[%s]]"):format(own) or ("[[%s]] [[maybe_unused]]"):format(own) end
  return pick { "[[%s, %s]]", "[[%s]] [[%s]]" }
    :format(table.unpack(chance(50) and { own, extra } or { extra, own }))
end

-- const, the space and the type in any order
local function qualified(space, type, const)
  local words = { space, type }
  if const then table.insert(words, random(#words + 1), "const") end
  if words[1] ~= type and chance(15) and not const and not type:find "[ <]" then
    words = { type, space }
  end
  return table.concat(words, chance(10) and " /* a, (comment */ " or " ")
end

local function memory(p, type, in_template)
  local space = pick(p.shared and { "threadgroup" } or type:find "atomic"
    and { "device" } or { "device", "device", "constant" })
  local const = space == "device" and not type:find "atomic" and chance(40)
  local head, name = qualified(space, type, const), p.name
  local form = random(10)
  if form <= 5 then return head .. pick { " *%s", "* %s", " * %s",
    " *__restrict %s" }:format(name)
  elseif form <= 8 or in_template then
    return head .. pick { " &%s", "& %s" }:format(name)
  elseif form == 9 then
    return head .. (" (&%s)[%s]"):format(name, pick { "3", "4", "2+3", "SIZE" })
  else return head .. (" %s[%d]"):format(name, random(2, 9)) end
end

local function parameter(number, next_index, template)
  local p = { name = pick { "a", "out", "input", "n", "value_", "T1",
    "kernel_size", "x" } .. number }
  local kind = random(10)
  if kind <= 6 then
    p.shared, p.word = false, "buffer"
    local type = template and chance(50) and pick(over_T)
      or pick { pick(scalars), pick(scalars), pick(atomics), pick(structs) }
    p.text = memory(p, type, template)
  elseif kind == 7 then
    p.shared, p.word = true, "threadgroup"
    p.text = memory(p, pick { pick(scalars), pick(structs), "atomic_uint" },
      template)
  elseif kind == 8 then
    p.word, p.text = "texture", pick(textures) .. " " .. p.name
  elseif kind == 9 then p.word, p.text = "sampler", "sampler " .. p.name
  else
    local b = pick(builtins)
    p.text, p.attribute = b[1] .. " " .. p.name, ("[[%s]]"):format(b[2])
    return p
  end
  p.explicit = chance(70)
  if p.explicit then p.attribute = attribute(p.word, next_index(), p.text) end
  return p
end

local function write(p)
  -- between the name and its bounds no attribute goes
  local array = p.text:find "%[%d" ~= nil
  if p.attribute and not array and chance(10) and not p.text:find "^%[" then
    return p.attribute .. " " .. p.text
  end
  return p.attribute and p.text .. " " .. p.attribute or p.text
end

local function parameters(template)
  local list, next_index = {}, indices()
  for i = 1, random(1, 7) do
    list[i] = write(parameter(i, next_index, template))
  end
  if template then list[#list + 1] = ("device T *tail [[buffer(%d)]]"):format(20) end
  return list
end

local forms = {}

function forms.plain(name)
  return ("%s void %s(%s) {}"):format(pick { "kernel", "[[kernel]]", "kernel" },
    name,
    table.concat(parameters(), pick { ", ", ",\n  ", " , // a comment, with (\n  " })), name
end

function forms.named(name)
  return ("[[host_name(\"%s_host\")]] kernel void %s(%s) {}"):format(name, name, table.concat(parameters(), ", ")), name .. "_host"
end

function forms.space(name)
  return ("namespace outer { namespace deep {\nkernel void %s(%s) {}\n} }"):format(name, table.concat(parameters(), ", ")),
    "outer::deep::" .. name
end

function forms.template(name)
  local list, type = parameters(true), pick {
    "float", "int", "half", "uint2", "Params", "inner::Box", "Point", "Named",
    "Other", "Unnamed", "inner::Grid<Point>" }
  local head = ("template <%s>\nkernel void %s(%s) {}\n"):format(pick { "typename T", "class T", "typename T, int N = 4", "typename T = Params, typename U = int" },
    name, table.concat(list, ", "))
  local label = type:gsub("%W", "_")
  return head .. ("template [[host_name(\"%s_\" \"%s\")]] %s decltype(%s<%s>) %s<%s>;"):format(name, label,
    pick { "kernel", "[[kernel]]" }, name, type, name, type), name .. "_"
    .. label
end

-- as MLX does: a macro that makes instances, its arguments quoted and passed on
function forms.instances(name)
  local list = parameters(true)
  return ([=[template <typename T, int N = 4> [[kernel]] void %s(%s) {}
#define MAKE_%s(label, func, ...) template [[host_name(#label "_made")]] [[kernel]] decltype(func<__VA_ARGS__>) func<__VA_ARGS__>;
#define EACH_%s(type) MAKE_%s(%s_##type, %s, type, 2)
EACH_%s(float) EACH_%s(uint) EACH_%s(Point)]=]):format(name, table.concat(list, ", "), name, name, name, name, name, name, name, name),
    name .. "_" .. pick { "float", "uint", "Point" } .. "_made"
end

function forms.list_macro(name)
  local list = parameters()
  return ("#define LIST_%s %s\n#define ALSO_%s LIST_%s\nkernel void %s(ALSO_%s) {}"):format(name, table.concat(list, ", \\\n  "),
    name, name, name, name), name
end

function forms.parameter_macro(name)
  local a, b = random(0, 4), random(5, 9)
  return ([=[#define IN_%s(type, name, at) device const type *in_##name [[buffer(at)]]
#define OUT_%s(...) __VA_ARGS__
#undef OUT_%s
#define OUT_%s(type, ...) device type *__VA_ARGS__
kernel void %s(OUT_%s(float, out [[buffer(%d)]]), IN_%s(float, b, %d), IN_%s(uint, a, %d + 5), %s) {}]=]):format(name, name, name,
    name, name, name, b, name, a, name, b, "constant uint &n [[buffer(20)]]"), name
end

function forms.whole_macro(name)
  return ("#define DEFINE_%s(name, type) kernel void name##_k(device type *y [[buffer(17)]], constant type &x [[buffer(16)]], %s) {}\nDEFINE_%s(%s, float)")
    :format(name, table.concat(parameters(), ", "):gsub("\n", " "):gsub(
      "//[^,]*", ""), name, name), name .. "_k"
end

function forms.condition(name)
  local list = parameters()
  local known = pick { "GIVEN > 2", "defined(GIVEN)", "!defined NOT_GIVEN", "1", "GIVEN == 3 && (SIZE << 1) >= 10", "NOT_GIVEN || GIVEN" }
  return ("kernel void %s(\n#if %s\n  %s\n#elif GIVEN\n  device float *never\n#else\n  device int *other [[buffer(3)]]\n#endif\n#ifdef NOT_GIVEN\n, uint z\n#endif\n) {}")
    :format(name, known, table.concat(list, ", ")), name
end

local prelude = [=[
#include <metal_stdlib>
using namespace metal;
#ifndef __GUARD_H__
#define __GUARD_H__
#define SIZE 5
#endif
#if __METAL_VERSION__ >= 300
#define NEWER 1
#else
typedef float unused_one;
#endif
struct Params { uint n; float scale; };
typedef struct { float x, y; } Point;
namespace inner { struct Box { float4 low, high; }; template <typename A> struct Grid { A first; }; }
typedef struct Tag { int a; } Named;
using Other = Params;
using Unnamed = struct { half h[4]; };
template <typename A, typename B> struct Pair { A a; B b; };
constant bool flag [[function_constant(0)]];
]=]
for i = 0, 15 do prelude = prelude .. ("#define INDEX_%d %d\nenum { Slot%d = %d };\n"):format(i, i, i, i) end
prelude = prelude .. "enum class Place {"
for i = 0, 15 do prelude = prelude .. (" at%d = %d,"):format(i, i) end
prelude = prelude .. " };\n"

-- One line for each parameter, with all that a launch goes by. What a kernel
-- reads and writes is known from its code, which Metal's reflection has not.
local function describe(k)
  local lines = {}
  for i, p in ipairs(k.params) do
    lines[i] = ("%s | %s | %s | %s | %s | reference %s | %s bytes | %s"):format(p.name, p.kind, p.type, p.index, p.attribute or "",
      p.reference, p.size, p.text)
  end
  return table.concat(lines, "\n")
end

local names = {}
for name in pairs(forms) do names[#names + 1] = name end
table.sort(names)

local function make_source(number)
  local parts, wanted = { prelude }, {}
  for i = 1, 10 do
    local form = pick(names)
    local text, name = forms[form](("k%d_%d"):format(number, i))
    parts[#parts + 1], wanted[i] = text, { name = name, form = form }
  end
  return table.concat(parts, "\n"), wanted
end

for s = 1, sources do
  local source, wanted = make_source(s)
  t.test(("seed %d, source %d: the parameters of %d kernels are the same on both devices"):format(seed, s, #wanted), function()
    for _, device in ipairs { "host", "metal" } do
      gpu.use(device)
      local ok, library = pcall(gpu.library, source,
        { defines = { GIVEN = "3" } })
      if not ok then error(tostring(library) .. "\n" .. source) end
      for _, w in ipairs(wanted) do
        local k = library:kernel(w.name, { flag = true })
        if device == "host" then w.host = describe(k)
        else
          t.equal(describe(k), w.host, w.form .. " " .. w.name)
          -- a call that is refused for what it gives, not for giving it by
          -- position
          local _, why = pcall(k, { true, grid = 1 })
          assert(not tostring(why):find "by name", w.form .. " " .. w.name
            .. ": " .. tostring(why))
        end
      end
    end
  end)
end

-- ------------------------------------------------------------------ the rest

local function both(test)
  for _, device in ipairs { "host", "metal" } do
    gpu.use(device)
    test(device)
  end
end

t.test("the same call gives the same answer: template, host_name, indices out of order", function()
  local source = [=[
template <typename T> kernel void axpy(constant T &s [[buffer(2)]], device T *y [[buffer(0)]], device const T *x [[buffer(1)]],
                                       constant T (&w)[2] [[buffer(5)]], uint i [[thread_position_in_grid]]) { y[i] = s * x[i] + w[1]; }
template [[host_name("axpy_float")]] kernel decltype(axpy<float>) axpy<float>;]=]
  both(function()
    local y, x = gpu.buffer(4), gpu.buffer { 1, 2, 3, 4 }
    gpu.kernel(source, { name = "axpy_float" }) {
      2, y, x, { 10, 20 }, grid = 4 }
    t.equal(y[3], 28.0)
  end)
end)

t.test("a parameter that a function constant leaves out keeps its place", function()
  local source = [=[
constant bool extra [[function_constant(0)]];
kernel void f(device float *y [[buffer(0)]], device const float *z [[buffer(1), function_constant(extra)]],
              device const float *x [[buffer(2)]], uint i [[thread_position_in_grid]]) { y[i] = x[i] + (extra ? z[i] : 0.0f); }]=]
  both(function()
    local y, z, x = gpu.buffer(4), gpu.buffer { 10, 10, 10, 10 },
      gpu.buffer { 1, 2, 3, 4 }
    gpu.kernel(source, { constants = { extra = false } }) { y, z, x, grid = 4 }
    t.equal(y[3], 4.0)
    gpu.kernel(source, { constants = { extra = false } }) {
      y, nil, x, grid = 4 }
    t.equal(y[2], 3.0)
  end)
end)

local hidden = {
  ["a condition on the compiler's version in the list"] = [=[
kernel void f(
#if __METAL_VERSION__ >= 300
  device float *y [[buffer(0)]], device const float *x [[buffer(1)]]
#else
  device const float *x [[buffer(1)]], device float *y [[buffer(0)]]
#endif
  , uint i [[thread_position_in_grid]]) { y[i] = x[i]; }]=],
  ["a macro that depends on it"] = [=[
#if __METAL_VERSION__ >= 300
#define LIST device float *y [[buffer(0)]], device const float *x [[buffer(1)]]
#else
#define LIST device const float *x [[buffer(1)]], device float *y [[buffer(0)]]
#endif
kernel void f(LIST, uint i [[thread_position_in_grid]]) { y[i] = x[i]; }]=],
  ["two kernels of which it chooses one"] = [=[
#if __has_include(<metal_tensor>) || __METAL_VERSION__ >= 300
kernel void f(device float *y [[buffer(0)]], device const float *x [[buffer(1)]], uint i [[thread_position_in_grid]]) { y[i] = x[i]; }
#else
kernel void f(device const float *x [[buffer(1)]], device float *y [[buffer(0)]], uint i [[thread_position_in_grid]]) { y[i] = x[i]; }
#endif]=],
  ["a branch that ends in the middle of a function"] = [=[
#if __METAL_VERSION__ >= 300
kernel void f(device float *y [[buffer(0)]], device const float *x [[buffer(1)]], uint i [[thread_position_in_grid]]) {
#else
kernel void f(device const float *x [[buffer(1)]], device float *y [[buffer(0)]], uint i [[thread_position_in_grid]]) {
#endif
  y[i] = x[i]; }]=],
}
for what, source in pairs(hidden) do
  t.test("what hides the order is refused by position and taken by name: " .. what, function()
    gpu.use "metal"
    local k, y, x = gpu.kernel(source), gpu.buffer(4), gpu.buffer { 1, 2, 3, 4 }
    local ok, why = pcall(k, { y, x, grid = 4 })
    assert(not ok and tostring(why):find("give them by name: f{y = …}", 1, true), tostring(why))
    k { x = x, y = y, grid = 4 }
    t.equal(y[3], 4.0)
  end)
end

t.test("what is alike in both branches is no reason to refuse", function()
  gpu.use "metal"
  local k = gpu.kernel [=[
#if __METAL_VERSION__ >= 300
kernel void f(device float *y [[buffer(0)]], uint i [[thread_position_in_grid]]) { y[i] = 1; }
#else
kernel void f(device float *y [[buffer(0)]], uint i [[thread_position_in_grid]]) { y[i] = 2; }
#endif]=]
  local y = gpu.buffer(4)
  k { y, grid = 4 }
  t.equal(y[1], 1.0)
end)

t.done()
