-- test_conversions.lua - what MSL converts by itself, and its operators on
-- vectors: thousands of forms (tests/conversions/), each of which gives per
-- component what scalar C++ gives, or is refused. A fixed choice of them, in
-- optimised, in quick and in checked code; METTLE_TESTS=all takes all forms.
-- METTLE_FORMS=word those with the word in their name.
--
-- Guards: msl/reader/splats.c, msl/passes/splats.c, msl/include/metal/__types,
-- __bools: a bool that becomes a vector, in 85 places from 48 kinds of bool;
-- operators and conversions of vectors (tests/conversions): each component as
-- in scalar C++, or refused; optimised, quick and checked code. A fixed choice
-- of them; METTLE_TESTS=all takes all 23,000, METTLE_FORMS=word those with the
-- word in their name
local t = dofile "tests/tap.lua"
local splats = dofile "tests/conversions/splats.lua"
local operators = dofile "tests/conversions/operators.lua"
t.compiler("conversions")
local program = os.getenv "METTLE" or "build/mettle"

local all, only = os.getenv "METTLE_TESTS" == "all", os.getenv "METTLE_FORMS"

local head = [=[
#include <metal_stdlib>
using namespace metal;
#pragma clang diagnostic ignored "-Wunused-variable"
#pragma clang diagnostic ignored "-Wunused-value"
#pragma clang diagnostic ignored "-Wshift-count-overflow"
#pragma clang diagnostic ignored "-Wconstant-conversion"
#pragma clang diagnostic ignored "-Wtautological-compare"
#pragma clang diagnostic ignored "-Wlogical-op-parentheses"
#pragma clang diagnostic ignored "-Wparentheses"
#define PARAMETERS bool b, bool n, int i, thread Has &h, bool4 bv, \
  thread bool *p, thread bool *list, bool w, device const bool *in
#define ARGUMENTS b, n, i, h, bv, p, list, w, in
#define hidden(x) (n ? decltype(x)(0) : (x))
constant bool given [[function_constant(0)]];
]=]

-- 16 if all components are as they must be, else bits of those that are not
local function source(forms)
  local text, calls = { head, splats.prelude }, {}
  for number, f in ipairs(forms) do
    text[#text + 1] = ([=[namespace f%d { %s
template <bool B, int N> static void run(device uint *o, PARAMETERS) { bool flag = b; { %s
for (int k = 0; k < %d; k++) { %s want = %s; if (!(want == (%s)r[k])) *o |= 1 << k; }
} *o |= 16; } }
]=]):format(number, f.scope, f.body, f.size, f.type, f.want, f.type)
    calls[number] = ("  f%d::run<true, 3>(o + %d, ARGUMENTS);"):format(number,
      number - 1)
  end
  text[#text + 1] = [=[
kernel void forms(device uint *o, device const bool *in, constant int &seven) {
  bool b = seven > 2, n = seven < 2, w = false; int i = seven;
  Has h = {b}; bool4 bv = bool4(n, b, n, n);
  bool list[2] = {n, b}; thread bool *p = &list[1];
]=] .. table.concat(calls, "\n") .. "\n}\n"
  return table.concat(text)
end

local function compile(forms)
  return pcall(gpu.kernel, source(forms), { math = "safe",
    constants = { given = true } })
end

local function group(forms, size)
  local groups = {}
  for number, f in ipairs(forms) do
    local at = (number - 1) // size + 1
    groups[at] = groups[at] or {}
    table.insert(groups[at], f)
  end
  return groups
end

-- The names of the forms that are wrong, as 'launch' runs the kernel.
local function wrong(forms, kernel, launch)
  local o, names = gpu.buffer("uint", #forms), {}
  launch { kernel, o, gpu.buffer("bool", { true }), 7, grid = 1 }
  for number, f in ipairs(forms) do
    local said = o[number - 1]
    if said ~= 16 then
      names[#names + 1] = ("%s (%d)"):format(f.name, said)
    end
  end
  return names
end

local function plain(call)
  call[1](table.move(call, 2, #call, 1, { grid = 1 }))
end
local function checked(call)
  call.inplace, call.outputs = true, {}
  for _, finding in ipairs(check(call)) do
    t.equal(finding.kind, "shift", finding.message)
  end
end

local function right(what, forms)
  for number, part in ipairs(group(forms, 40)) do
    local first = 40 * number - 39
    t.test(("%s, %d to %d"):format(what, first, first + #part - 1), function()
      local ok, kernel = compile(part)
      if not ok then
        for _, f in ipairs(part) do
          local alone, why = compile { f }
          t.ok(alone, f.name .. ": " .. tostring(why))
        end
        t.ok(false, tostring(kernel))
      end
      t.equal(table.concat(wrong(part, kernel, plain), "\n"), "")
      if number % 4 == 1 and gpu.device.name == "host" then
        t.equal(table.concat(wrong(part, kernel, checked), "\n"), "",
          "under check")
      end
    end)
  end
end

local function chosen(f, number, every)
  if only then return f.name:find(only, 1, true) end
  return all or number % every == 0
end

local function all_splats()
  local forms, number = {}, 0
  local types = { { "float", 4 } }
  if all then
    types = { { "float", 4 }, { "half", 2 }, { "int", 3 }, { "char", 4 },
      { "ulong", 2 }, { "uchar", 3 } }
  end
  for _, type in ipairs(types) do
    for _, place in ipairs(splats.places) do
      for _, source in ipairs(splats.sources) do
        local f = splats.form(place, source, type[1], type[2])
        if f then
          number = number + 1
          -- 13 has no divisor in common with the number of sources
          if chosen(f, number, 13) then forms[#forms + 1] = f end
        end
      end
    end
  end
  return forms
end

right("a bool as a vector", all_splats())

local accepted, refused = {}, {}
for number, f in ipairs(operators.forms) do
  if f.refused == true and chosen(f, number, 23) then
    refused[#refused + 1] = f
  elseif not f.refused and chosen(f, number, 17) then
    accepted[#accepted + 1] = f
  end
end
right("operators", accepted)

t.test(("%d forms that are refused"):format(#refused), function()
  for _, f in ipairs(refused) do
    local ok, why = compile { f }
    t.ok(not ok, f.name .. " is accepted")
    t.has(why, "error: ", f.name)
    t.ok(not tostring(why):find "__msl", f.name .. ": " .. tostring(why))
  end
end)

-- the same as quick code: launches before optimised code is made run it
if gpu.device.name == "host" and not os.getenv "METTLE_TIER" then
  t.test("quick code gives the same", function()
    local run = io.popen(("METTLE_TIER=quick METTLE_FORMS='%s' '%s' tests/lua/msl/test_conversions.lua 2>&1")
      :format(only or "a literal", program))
    local said = run:read "a"
    t.ok(run:close(), said)
    t.ok(said:find "^ok 1", said)
  end)
end

t.done()
