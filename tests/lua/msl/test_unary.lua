-- test_unary.lua - every unary operator before every way to make a value, of
-- every type: it gives the answer component by component, or is refused where
-- Metal refuses it.
--
-- The one idea: an expression is put together of an operator, a way of
-- construction, a type and a place where it may stand; what it gives is worked
-- out here, in Lua, from the components.
--
-- Guards: msl/reader/types.c, msl/include/metal/__types (casts): every unary
-- operator before every way to make a value of every type, in several places,
-- beside the answer worked out in Lua; some are refused. METTLE_TESTS=all tries
-- all of some 6,000
local t = dofile "tests/tap.lua"

t.compiler "unary operators"

local HEAD = [=[
#include <metal_stdlib>
using namespace metal;
template <typename T> struct Of { typedef T type; };
template <typename T> T same(T v) { return v; }
]=]

-- ---------------------------------------------------------------- the types

local scalars = { -- name, bits, signed
  { "char", 8, true }, { "uchar", 8 }, { "short", 16, true }, { "ushort", 16 },
  { "int", 32, true }, { "uint", 32 }, { "long", 64, true }, { "ulong", 64 },
  { "float" }, { "half" }, { "bool", 1 },
}

-- The value as the type with so many bits holds it.
local function wrapped(v, bits, signed)
  if bits == 64 then return v end
  v = v & ((1 << bits) - 1)
  return signed and v >= 1 << (bits - 1) and v - (1 << bits) or v
end

local function integer(s) return s[2] and s[2] > 1 end
local function number(s) return s[2] ~= 1 end
local function any() return true end

-- Operators: text, whether a type has it, the answer, whether that is a bool.
local operators = {
  { "~", integer, function(v) return ~v end },
  { "-", number, function(v) return -v end },
  { "+", number, function(v) return v end },
  { "!", any, function(v) return v == 0 and 1 or 0 end, true },
  { "- -", number, function(v) return v end },
  { "-~", integer, function(v) return v + 1 end },
  { "~-", integer, function(v) return v - 1 end },
  { "!!", any, function(v) return v ~= 0 and 1 or 0 end, true },
}

-- ---------------------------------------------------------------- the forms

-- How a value is made: $T its type, $S that of a component, $n how many there
-- are, $all their values, $1 the first of them. "one" fills all components with
-- the first, "none" with zero; "vector": scalars have no such form.
local forms = {
  { "$T($all)" }, { "$T($1)", "one" }, { "$T{$all}" }, { "$T()", "none" },
  { "$T{}", "none" }, { "($T)($all)", "vector" }, { "($T)$1", "one" },
  { "($T)($1)", "one" }, { "static_cast<$T>($1)", "one" },
  { "vec<$S, $n>($all)", "vector" }, { "metal::$T($all)", "vector" },
  { "(::$T($all))", "vector" }, { "Alias($all)" }, { "Alias{$all}" },
  { "typename Of<$T>::type($all)" }, { "decltype($T())($all)" },
  { "$T($S2($1, $2).xy$rest)", "vector" }, { "$T(uint$n($all))", "vector" },
  { "($T)uint$n($all)", "vector" }, { "$T($all).yx", "yx" },
  { "$T($all)[1]", "y" }, { "$T(v)", "variable" },
}

local function filled(v, n)
  local of = {}
  for i = 1, n do of[i] = v end
  return of
end

-- The text of a form, its components, what is declared before it.
local function made(form, S, n, v)
  local all = { table.unpack(v, 1, n) }
  local T = S .. (n > 1 and n or "")
  local rest = n > 2 and ", " .. table.concat(all, ", ", 3) or ""
  local list = table.concat(all, ", ")
  local text = form[1]:gsub("$all", list):gsub("$rest", rest):gsub("$T", T)
    :gsub("$S", S):gsub("$n", n):gsub("$1", v[1]):gsub("$2", v[2])
  local kind = form[2]
  local parts = kind == "one" and filled(v[1], n)
    or kind == "none" and filled(0, n)
    or kind == "yx" and { v[2], v[1] } or kind == "y" and { v[2] } or all
  return text, parts,
    kind == "variable" and ("%s v = %s(%s); "):format(T, T, list) or ""
end

-- Where the expression E stands.
local places = {
  "auto r = E;", "auto r = same(E);", "auto r = (E);",
  "auto r = one ? E : E;", "auto r = E, unused = E; (void)unused;",
  "decltype(E) r = E;", "decltype(E) x[] = {E}; auto r = x[0];",
  "struct M { decltype(E) m = E; }; auto r = M().m;", "decltype(E) r; r = E;",
  "decltype(E) r; r = one ? ((void)one, E) : E;",
}

local values = { { 5, 3, 2, 7 }, { 0, 1, 15, 64 }, { 1, 0, 3, 9 } }

-- ----------------------------------------------------------------- run them

local cases = {}
local for_vectors = { vector = true, yx = true, y = true }
local function add(s, n, op, form)
  local turn = #cases + 1
  local v = s[2] == 1 and { 1, 0, 1, 1 } or values[turn % #values + 1]
  local text, parts, before = made(form, s[1], n, v)
  local place = places[turn % #places + 1]
  if before ~= "" and place:find "struct" then place = places[1] end
  cases[turn] = {
    s = s, op = op, n = #parts, T = s[1] .. (n > 1 and n or ""), parts = parts,
    before = before, text = op[1] .. text, place = place, form = form[1],
  }
end
for _, s in ipairs(scalars) do
  for n = 1, 4 do
    for _, op in ipairs(operators) do
      for _, form in ipairs(forms) do
        if op[2](s) and not (n == 1 and for_vectors[form[2]]) then
          add(s, n, op, form)
        end
      end
    end
  end
end

-- An answer component by component. A scalar below int is promoted, the
-- component of a vector is not.
local function expected(c)
  local bits, signed = c.s[2], c.s[3]
  if c.n == 1 and bits and bits < 32 then bits, signed = 32, true end
  local of = {}
  for i, v in ipairs(c.parts) do
    local w = c.op[3](v)
    of[i] = not c.op[4] and bits and wrapped(w, bits, signed) or w
  end
  return of
end

local EACH = 120
local function kernel_of(some)
  local text = { HEAD, "kernel void f(device long *out [[buffer(0)]], ",
    "constant bool &one [[buffer(1)]]) {\n" }
  for i, c in ipairs(some) do
    text[#text + 1] = "{ typedef " .. c.T .. " Alias; " .. c.before ..
      c.place:gsub("E", c.text) .. " "
    for k = 0, c.n - 1 do
      local part = c.n > 1 and "[" .. k .. "]" or ""
      text[#text + 1] = ("out[%d] = long(r%s); "):format(i * 4 - 4 + k, part)
    end
    text[#text + 1] = "}\n"
  end
  return table.concat(text) .. "}\n"
end

local function name_of(c)
  return ("%s (%s) in %s"):format(c.text, c.T, c.place)
end

local function differs(c, got, from)
  local want = expected(c)
  for p = 1, c.n do
    if got[from + p - 1] ~= want[p] then
      return ("%s: component %d is %s, expected %s"):format(name_of(c), p,
        got[from + p - 1], want[p])
    end
  end
end

-- Adds the wrong ones of 'some' to 'out', as text; a source that is refused is
-- halved until the refused expression is found.
local function wrong(some, out)
  local ok, k = pcall(gpu.kernel, kernel_of(some))
  if not ok and #some == 1 then
    out[#out + 1] = name_of(some[1]) .. ": " .. tostring(k)
  elseif not ok then
    local half = #some // 2
    wrong({ table.unpack(some, 1, half) }, out)
    wrong({ table.unpack(some, half + 1) }, out)
  else
    local got = gpu.buffer("long", 4 * #some)
    k { got, true, grid = 1 }
    for i, c in ipairs(some) do out[#out + 1] = differs(c, got, i * 4 - 4) end
  end
end

local step = os.getenv "METTLE_TESTS" == "all" and 1 or 6
local by = {}
for i, c in ipairs(cases) do
  local op = c.op[1]
  by[op] = by[op] or {}
  if (i + c.n) % step == 0 then table.insert(by[op], c) end
end
for _, op in ipairs(operators) do
  local list = by[op[1]]
  t.test(("'%s' before %d values"):format(op[1], #list), function()
    local out = {}
    for i = 1, #list, EACH do
      wrong({ table.unpack(list, i, math.min(#list, i + EACH - 1)) }, out)
    end
    t.ok(#out == 0, #out .. " are wrong:\n  " .. table.concat(out, "\n  "))
  end)
end

-- -------------------------------------------------------------- the refused

local refused = {}
for _, value in ipairs { "float2(1, 2)", "half3(1)", "float4{1, 2, 3, 4}",
  "(float2)1", "vec<float, 2>(1, 2)", "float(1)" } do
  refused[#refused + 1] = "~" .. value
end
for _, op in ipairs { "++", "--", "*", "&" } do
  for _, value in ipairs { "int2(1, 2)", "uint3(1)", "float4{1, 2, 3, 4}",
    "vec<int, 2>(1, 2)", "int(1)" } do
    refused[#refused + 1] = op .. value
  end
end
for _, e in ipairs(refused) do
  t.test(e .. " is refused", function()
    local ok, said = pcall(gpu.kernel, HEAD ..
      "kernel void f(device float4 *out [[buffer(0)]]) { auto r = " .. e ..
      "; out[0] = float4(sizeof(r)); }")
    t.ok(not ok and not tostring(said):find "__m",
      ok and "it was not" or tostring(said))
  end)
end

t.done()
