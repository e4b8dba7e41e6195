-- test_declare.lua - declarations made at random, in every form and place where
-- MSL has them: each variable lies in the address space that its declaration
-- says, or is refused by name.
--
-- The one idea: where a variable lies can be seen while it runs. What one
-- thread of a group writes into a threadgroup variable all of that group read,
-- and no other group; what each thread writes into its own it reads again; a
-- constant has its value.
--
-- METTLE_DECLARE=2000 makes so many declarations instead of a few hundred,
-- METTLE_SEED others.
--
-- Guards: msl/reader/storage.c, msl/passes/storage.c: declarations made at
-- random in every form, space and place lie where they say, or are refused by
-- name; METTLE_DECLARE=2000 makes more, METTLE_SEED others
local t = dofile "tests/tap.lua"

local there, why = pcall(gpu.kernel, "kernel void f(device float *a [[buffer(0)]]) { a[0] = 1; }")
if not there and tostring(why):find("no device that runs kernels", 1, true) then
  t.skip("declarations", tostring(why))
  t.done()
end

local COUNT = tonumber(os.getenv "METTLE_DECLARE") or 240
local SEED = tonumber(os.getenv "METTLE_SEED") or 1
local EACH = 24 -- kernels of one source

-- ------------------------------------------------------------------- chance

local state = SEED * 2654435761 % 4294967296
local function random(n) -- 1 … n
  state = (state * 1664525 + 1013904223) % 4294967296
  return (state >> 8) % n + 1
end
local function pick(list) return list[random(#list)] end
local function chance(percent) return random(100) <= percent end

-- ------------------------------------------------------------ declarations

local HEAD = [=[
#include <metal_stdlib>
using namespace metal;
[[maybe_unused]] constexpr constant float zero = 0;
struct Plain { float x; float y[3]; };
struct Traits { typedef uint type; };
template <typename T> struct Of { using type = T; };
template <typename T> using Same = T;
typedef float Named;
typedef threadgroup float SharedFloat;
using SharedPlain = threadgroup Plain;
template <typename T> using Shared = threadgroup T;
struct Names { typedef threadgroup uint shared; };
typedef constant uint Fixed;
]=]

-- A type: how it is written, its size, the way to a number in it. 'says' is the
-- space in its name.
local types = {
  { "float", 4, "" }, { "uint", 4, "" }, { "int", 4, "" },
  { "unsigned int", 4, "" }, { "half", 2, "" },
  { "decltype(1.0f)", 4, "" }, { "decltype(zero + 1)", 4, "" },
  { "metal::float2", 8, ".y" }, { "::float4", 16, ".z" },
  { "::metal::array<float, 4>", 16, "[2]" }, { "array<uint, 3>", 12, "[1]" }, { "vec<float, 2>", 8, ".x" },
  { "Plain", 16, ".y[1]" }, { "::Plain", 16, ".x" },
  { "struct Plain", 16, ".x" }, { "Traits::type", 4, "" },
  { "typename Of<float>::type", 4, "" }, { "Of<Plain>::type", 16, ".x" }, { "Same<float>", 4, "" }, { "Named", 4, "" },
  { "struct { float x; float y; }", 8, ".y", once = true }, { "union { float x; uint u; }", 4, ".x", once = true },
  { "struct Inner { uint a[2]; uint b; }", 12, ".b", once = true },
}
local named = {
  { "SharedFloat", 4, "", says = "threadgroup" },
  { "::SharedPlain", 16, ".x", says = "threadgroup" },
  { "Shared<float>", 4, "", says = "threadgroup" }, { "Shared<array<uint, 2>>", 8, "[1]", says = "threadgroup" },
  { "Names::shared", 4, "", says = "threadgroup" }, { "typename Names::shared", 4, "", says = "threadgroup" },
}

local function shuffled(list)
  for i = #list, 2, -1 do
    local k = random(i)
    list[i], list[k] = list[k], list[i]
  end
  return list
end

-- Words before the declarators. C++ has alignas and [[…]] before all others; an
-- address space may come first.
local function specifiers(space, kind, d)
  local first, words = {}, {}
  if chance(15) then first[#first + 1] = "[[maybe_unused]]" end
  if chance(12) then
    d.align = pick{ 16, 32, 64, 128, 256 }
    first[#first + 1] = ("alignas(%d)"):format(d.align)
  end
  if d.align == 1 and chance(10) then
    d.align = pick{ 16, 64, 128 }
    first[#first + 1] = ("[[gnu::aligned(%d)]]"):format(d.align)
  end
  if d.align == 1 and chance(20) then
    d.align = pick{ 8, 16, 64, 128 }
    words[#words + 1] = ("__attribute__((aligned(%d)))"):format(d.align)
  end
  if chance(10) then words[#words + 1] = "__attribute__((unused))" end
  if space == "constant" and chance(30) then words[#words + 1] = "const" end
  if space == "threadgroup" and not kind[1]:find "array" and chance(10) then
    words[#words + 1] = "volatile"
  end
  if (space == "threadgroup" or space == "constant") and chance(10) then
    words[#words + 1], d.static = "static", true
  end
  words[#words + 1] = kind[1]
  if space ~= "" and not kind.says then
    if #first > 0 and chance(40) then
      return space .. " " .. table.concat(shuffled(first), " ") .. " "
        .. table.concat(shuffled(words), " ")
    end
    words[#words + 1] = space
  end
  return table.concat(shuffled(first), " ") .. " "
    .. table.concat(shuffled(words), " ")
end

-- One declarator: its text; 'path' leads to a number in it, 'own' tells whether
-- it is in the space itself.
local function declarator(space, kind, d, i)
  local name, path = "v" .. i, ""
  local v = { own = true, bytes = kind[2], name = name, count = 1 }
  local text = name
  if chance(25) then text = "(" .. text .. ")" end
  if chance(8) then text = "(" .. text .. ")" end
  if text == name and chance(12) then text = text .. " [[maybe_unused]] " end
  if (space == "threadgroup" or space == "device" or space == "thread")
    and chance(i == 1 and 15 or 35) then
    v.own = false
    v.form = pick{ "*", "* const", "*[2]", "(*)[3]", "**" }
    if v.form == "*[2]" then text, path = "*" .. name .. "[2]", "[1]"
    elseif v.form == "(*)[3]" then text = "(*" .. name .. ")[3]"
    elseif v.form == "* const" then v.form, text = "*", "*" .. name
    else text = v.form .. name end
    if chance(50) and v.form ~= "*[2]" then text = text .. " = nullptr" end
    v.path = name .. path
    return text, v
  end
  local dims = pick{ 0, 0, 1, 1, 1, 2 }
  for _ = 1, dims do
    local n = random(4)
    text, path, v.bytes = text .. "[" .. n .. "]", path .. "[" .. n - 1 .. "]",
      v.bytes * n
    v.count = v.count * n
  end
  v.path = name .. path .. kind[3]
  if chance(12) then
    v.align = pick{ 16, 64 }
    text = text .. (" __attribute__((aligned(%d)))"):format(v.align)
  end
  if space == "constant" then
    v.value = random(90)
    local inner = kind[3] == "" and "%d" or nil
    -- lists of values are tried elsewhere
    if dims > 0 or not inner then return nil end
    text = text .. pick{ " = %d", " = { %d }" }:format(v.value)
  elseif space == "threadgroup" and chance(20) then
    text = text .. pick{ " = {}", dims == 0 and kind[3] == "" and " = 3"
      or "{}" }
  end
  return text, v
end

local function declaration(space)
  local kind = space == "threadgroup" and chance(20) and pick(named)
    or pick(types)
  local d = { align = 1, space = space, vars = {} }
  local parts = {}
  local spec = specifiers(space, kind, d)
  for i = 1, pick{ 1, 1, 1, 2, 3 } do
    local text, v = declarator(space, kind, d, i)
    if text == nil then return nil end
    v.align = math.max(v.align or 1, d.align)
    -- aligned after a body is the type's
    if kind.once then
      v.most = v.count * ((kind[2] + d.align - 1) // d.align * d.align)
    end
    parts[i], d.vars[i] = text, v
  end
  d.text = spec .. " " .. table.concat(parts, ", ") .. ";"
  return d
end

-- What the rules say of it: nil, or words of the refusal.
local function expected(d)
  local bare, pointers = 0, 0
  for _, v in ipairs(d.vars) do
    if v.own then bare = bare + 1 else pointers = pointers + 1 end
  end
  if d.space == "device" and bare > 0 then return "cannot be in the device address space" end
  if d.static and pointers > 0 then return "outlives its thread" end
end

-- ---------------------------------------------------------------- programs

-- Statements that store through 'v' and set bit 'i' of 'bad' if what is read
-- again is wrong.
local function watch(d, v, i)
  local bit, out = 1 << (i - 1), {}
  local function add(...) out[#out + 1] = string.format(...) end
  if not v.own then
    add("{ auto q = %s; %s = reinterpret_cast<decltype(q)>(ulong(lid) * 64 + 64); }", v.path, v.path)
    add("threadgroup_barrier(mem_flags::mem_threadgroup);")
    add("if (reinterpret_cast<ulong>(%s) != ulong(lid) * 64 + 64) bad |= %d;", v.path, bit)
  elseif d.space == "constant" then
    add("if (%s != %d) bad |= %d;", v.path, v.value, bit)
  elseif d.space == "threadgroup" then
    add("threadgroup_barrier(mem_flags::mem_threadgroup);")
    add("if (lid == 41) %s = 100 + gid;", v.path)
    add("threadgroup_barrier(mem_flags::mem_threadgroup);")
    add("if (uint(%s) != 100 + gid) bad |= %d;", v.path, bit)
    add("if (reinterpret_cast<ulong>(&%s) %% %d != 0) bad |= %d;", v.name, v.align, bit << 8)
  else
    add("%s = lid;", v.path)
    add("threadgroup_barrier(mem_flags::mem_threadgroup);")
    add("if (uint(%s) != lid) bad |= %d;", v.path, bit)
    add("if (reinterpret_cast<ulong>(&%s) %% %d != 0) bad |= %d;", v.name, v.align, bit << 8)
  end
  return table.concat(out, " ")
end

-- Where it stands: a function's text and the call, from the declaration and
-- what watches it.
local places = {
  { "the kernel", function(s) return "", s end },
  { "a block", function(s) return "", "{ { " .. s .. " } }" end },
  { "a loop", function(s) return "", "for (uint r = 0; r < 2; r++) { " .. s .. " threadgroup_barrier(mem_flags::mem_threadgroup); }" end },
  { "an if", function(s) return "", "if (gid < 100) { " .. s .. " } else { bad |= 65536; }" end },
  { "behind an if", function(s) return "", "if (gid > 100) bad |= 65536; " .. s end },
  { "a case", function(s) return "", "switch (gid > 100) { case false: { " .. s .. " } break; default: bad |= 65536; }" end },
  { "a helper", function(s, n) return ("static uint h%d(uint lid, uint gid) { uint bad = 0; %s return bad; }\n"):format(n, s), ("bad = h%d(lid, gid);"):format(n) end },
  { "a template", function(s, n)
    return ("template <typename T> T h%d(T lid, uint gid) { T bad = 0; %s return bad; }\n"):format(n, s), ("bad = h%d<uint>(lid, gid);"):format(n) end },
  { "a method", function(s, n)
    return ("struct H%d { uint lid; uint run(uint gid) { uint bad = 0; %s return bad; } };\n"):format(n, s), ("H%d h{lid}; bad = h.run(gid);"):format(n) end },
  { "a lambda", function(s) return "", "auto run = [&](uint lid) { " .. s .. " }; run(lid);" end },
}

local function kernel_text(d, n)
  local parts = { d.text }
  for i, v in ipairs(d.vars) do parts[#parts + 1] = watch(d, v, i) end
  local place = pick(places)
  local before, body = place[2](table.concat(parts, "\n  "), n)
  d.place = place[1]
  return before .. ("kernel void k%d(device uint *o [[buffer(0)]], uint lid [[thread_index_in_threadgroup]],\n" ..
    "    uint gid [[threadgroup_position_in_grid]]) {\n  uint bad = 0;\n  %s\n  o[gid * 64 + lid] = bad + 1;\n}\n"):format(n, body)
end

local function round16(n) return (n + 15) // 16 * 16 end

-- The sizes of threadgroup memory that are right: all its variables, with room
-- to align them at most.
local function memory(d)
  local least, most = 0, 0
  for _, v in ipairs(d.vars) do
    if v.own and d.space == "threadgroup" then
      least = least + v.bytes
      most = most + round16(v.most or v.bytes) + math.max(v.align, 16)
    end
  end
  return least, most
end

local function try(library, d, n)
  local k = library["k" .. n]
  local o = gpu.buffer("uint", 128)
  k{ o, groups = 2, group = 64 }
  for i = 0, 127 do
    if o[i] ~= 1 then error(("in %s: %s\nthread %d says %d"):format(d.place, d.text, i, o[i] - 1), 0) end
  end
  local least, most = memory(d)
  local has = k.threadgroup_memory
  if has < least or has > most then
    error(("in %s: %s\n%d bytes of threadgroup memory, not %d to %d"):format(d.place, d.text, has, least, most), 0)
  end
end

-- Errors of several kernels in one source hide each other: one by one, then.
local function compile(batch)
  local texts = {}
  for n, d in ipairs(batch) do texts[n] = d.source end
  return pcall(gpu.library, HEAD .. table.concat(texts))
end

local function try_all(batch)
  local ok, library = compile(batch)
  if not ok and #batch > 1 then
    for _, d in ipairs(batch) do try_all{ d } end
    error(tostring(library), 0)
  elseif not ok then
    error(("in %s: %s\n%s"):format(batch[1].place, batch[1].text, library), 0)
  end
  for _, d in ipairs(batch) do try(library, d, d.n) end
end

local spaces = { "threadgroup", "threadgroup", "threadgroup", "constant",
  "thread", "", "device" }
local made, taken, refused = 0, {}, {}
while made < COUNT do
  local d = declaration(pick(spaces))
  if d then
    made = made + 1
    d.n = made
    d.source = kernel_text(d, made)
    local list = expected(d) and refused or taken
    list[#list + 1] = d
  end
end

for from = 1, #taken, EACH do
  local to = math.min(from + EACH - 1, #taken)
  t.test(("declarations %d to %d of seed %d lie where they say"):format(from, to, SEED), function()
    try_all(table.move(taken, from, to, 1, {}))
  end)
end

t.test(("%d declarations of seed %d are refused"):format(#refused, SEED), function()
  for i, d in ipairs(refused) do
    if i > COUNT / 12 then break end
    local ok, said = pcall(gpu.library, HEAD .. d.source)
    if ok then error("taken: " .. d.text, 0) end
    if not tostring(said):find(expected(d), 1, true) then
      error(d.text .. "\n" .. tostring(said), 0)
    end
  end
end)

-- ------------------------------------------------- forms that people write

t.test("threadgroup arrays as published kernels declare them", function()
  local forms = {
    "threadgroup __attribute__((aligned(16))) float buf[16];", "threadgroup float __attribute__((aligned(16))) buf[16];",
    "threadgroup [[gnu::aligned(16)]] float buf[16];", "threadgroup float (buf)[16];", "threadgroup decltype(1.0f) buf[16];",
    "threadgroup ::metal::array<float,16> buf;", "threadgroup float *p = nullptr, buf[16]; (void)p;",
    "typedef threadgroup float T_; T_ buf[16];", "using T_ = threadgroup float; T_ buf[16];",
    "threadgroup struct { float x; float y[16]; } s_; threadgroup float *buf = s_.y;",
    "threadgroup float (&buf)[16] = helper();", "threadgroup float * threadgroup buf; threadgroup float t_[16]; if (i == 0) buf = t_; threadgroup_barrier(mem_flags::mem_threadgroup);",
  }
  for _, form in ipairs(forms) do
    local k = gpu.kernel([=[
#include <metal_stdlib>
using namespace metal;
threadgroup float (&helper())[16] { threadgroup float t[16]; return t; }
kernel void k(device float *o [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  ]=] .. form .. [=[

  buf[i] = i + 1;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  o[i] = buf[15 - i];
}]=])
    local o = gpu.buffer("float", 16)
    k{ o, grid = 16, group = 16 }
    for j = 0, 15 do t.equal(o[j], 16 - j, form) end
    t.ok(k.threadgroup_memory == 64 or k.threadgroup_memory == 80, form .. " "
      .. k.threadgroup_memory)
  end
end)

-- ------------------------------------------------------------ other places

local BODY = "kernel void k(device uint *o [[buffer(0)]], uint lid [[thread_index_in_threadgroup]]) {\n  %s\n  o[lid] += 1;\n}\n"

-- Where there is no variable of a function: { text of the program, text of the
-- kernel, words of the refusal }. S is an address space, T a type, Q a few
-- qualifiers.
local elsewhere = {
  { "struct M { S Q T *x; T y; };", "M m = { nullptr, 3 }; o[lid] = uint(m.y) - 3;" },
  { "struct M { S T *x, *z[2]; S T &f(S T &a) { return a; } T y; };", "" },
  { "struct M { S Q T x; };", "", "cannot be in the S address space" },
  { "struct M { S T *x, y; };", "", "cannot be in the S address space" },
  { "struct M { __attribute__((aligned(16))) S T x[4]; };", "", "cannot be in the S address space" },
  { "struct M { T S x; };", "", "cannot be in the S address space" },
  { "struct M { S T f() { return 1; } };", "", "cannot return a value in the S address space" },
  { "S Q T *f(S Q T *a) { return a; }", "" },
  { "template <typename U> S U &f(S U &a) { return a; }", "" },
  { "S T f() { return 1; }", "", "cannot return a value in the S address space" },
  { "inline S Q T f(T a);", "", "cannot return a value in the S address space" },
  { "void f(S Q T a) {}", "", "cannot be in the S address space" },
  { "template <typename U> void f(S U a) {}", "", "cannot be in the S address space" },
  { "void f(T b, S T *S a) {}", "", "cannot be in the S address space" },
  { "", "auto f = [](S T a) { return a; }; f(1);", "cannot be in the S address space" },
  { "", "auto f = [](S T *a) { return a; }; f(nullptr);" },
  { "", "S T *p = (S T *)o; p = reinterpret_cast<S T *>(o); o[lid] = p ? 0 : 1;", only = "device" },
  { "template <typename P> uint f(P p) { return p ? 1 : 0; }", "o[lid] = f<S T *>(nullptr);" },
  { "", "o[lid] = sizeof(S T) - sizeof(T);" },
  { "S T g;", "", "must reside in constant address space" },
  { "S Q T g[4];", "o[lid] = uint(g[lid]);", "must reside in constant address space" },
  { "__attribute__((aligned(16))) S T g[4];", "o[lid] = uint(g[lid]);", "must reside in constant address space" },
  { "[[maybe_unused]] S T (g)[4];", "o[lid] = uint(g[lid]);", "must reside in constant address space" },
  { "namespace n { inline S T g; }", "n::g = 1;", "must reside in constant address space" },
  { "S struct { T x; } g;", "g.x = 1;", "must reside in constant address space" },
  { "template <typename U> void f() { U x[4]; x[0] = 1; }", "f<S T>();", "cannot be in the address space that its type has" },
  { "template <typename U> struct M { U x; };", "M<S T> m; m.x = 1;", "cannot be in the address space that its type has" },
  { "typedef S T N; void f(N a) {}", "", "cannot be in the address space that its type has" },
  { "typedef S T N; struct M { N a; };", "", "cannot be in the S address space" },
  { "typedef S T N; uint f(N *a) { return a ? 1 : 0; }", "N *n = nullptr; o[lid] = f(n);" },
  { "typedef S T N, *P; uint f(P a) { return a ? 1 : 0; }", "P n = nullptr; o[lid] = f(n);" },
}

local function substitute(text, space, kind, qualifiers)
  return (text:gsub("%f[%w]S%f[%W]", space):gsub("%f[%w]T%f[%W]", kind):gsub(
    "%f[%w]Q ", qualifiers))
end

for _, space in ipairs{ "device", "threadgroup" } do
  t.test(space .. " where no variable of a function is declared", function()
    for _, case in ipairs(elsewhere) do
      local kind, qualifiers = pick{ "float", "uint", "int", "Plain::number" }, pick{ "", "volatile ", "__attribute__((unused)) " }
      if case[3] == nil then qualifiers = pick{ "", "const ", "volatile " } end
      local program = substitute("struct Plain { typedef int number; };\n" .. case[1], space, kind, qualifiers)
      local source = "#include <metal_stdlib>\nusing namespace metal;\n" .. program .. "\n" ..
        BODY:format(substitute(case[2], space, kind, qualifiers))
      local ok, said = pcall(function()
        local o = gpu.buffer("uint", 4)
        gpu.kernel(source){ o, grid = 4 }
      end)
      -- a cast that another rule refuses
      if case.only and case.only ~= space then
      elseif ok and case[3] then error("taken: " .. source, 0)
      elseif not ok and not case[3] then error(source .. tostring(said), 0)
      elseif not ok and not tostring(said):find(
        substitute(case[3], space, "", ""), 1, true) then
        error(source .. tostring(said), 0) end
    end
  end)
end

t.test("constants of a program, a class and a function", function()
  local o = gpu.buffer("uint", 8)
  gpu.kernel([=[
#include <metal_stdlib>
using namespace metal;
constant alignas(16) uint a = 1;
constant __attribute__((aligned(64))) uint b[2] = {2, 3};
uint constant (c) = 4;
typedef constant uint Fixed;
Fixed d = 5;
constant uint *constant p = b;
struct S { static constexpr constant uint e = 6; };
kernel void k(device uint *o [[buffer(0)]]) {
  constant [[maybe_unused]] uint f = 7;
  uint constant static g[] = {8, 9};
  o[0] = a + b[1]; o[1] = c; o[2] = d; o[3] = p[0]; o[4] = S::e; o[5] = f; o[6] = g[1];
  o[7] = (reinterpret_cast<ulong>(&a) % 16 != 0) + (reinterpret_cast<ulong>(b) % 64 != 0);
}]=]){ o, grid = 1 }
  for i, v in ipairs{ 4, 4, 5, 2, 6, 7, 9, 0 } do t.equal(o[i - 1], v) end
end)

t.done()
