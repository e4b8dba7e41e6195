-- test_multiset.lua - which two lists are the same in whatever order, to the
-- last place of the tolerance, and what is said of those that are not
-- (of no device).
--
-- Guards: lua/workload/multiset_compare.lua, lua/workload/tolerance.lua: lists
-- of numbers and vectors, with nan, of every type that has a quick way and that
-- has none
local t = dofile "tests/tap.lua"
local multiset = require "lua.workload.multiset_compare"
local tolerance = require "lua.workload.tolerance"

local function same(got, wanted, most)
  return (multiset.equals(got, wanted, most or 0))
end

local function report(got, wanted, most)
  local ok, r = multiset.equals(got, wanted, most or 0)
  t.equal(ok, false)
  return r
end

t.test("the same numbers in another order", function()
  for _, type in ipairs { "float", "int", "uint", "short", "uchar" } do
    local got = gpu.buffer(type, { 5, 1, 4, 1, 3 })
    t.ok(same(got, { 1, 1, 3, 4, 5 }), type)
    t.ok(same(got, gpu.buffer(type, { 3, 1, 4, 1, 5 })), type)
    t.ok(not same(got, { 1, 3, 3, 4, 5 }), type)
    t.ok(not same(got, { 1, 1, 3, 4, 6 }), type)
    t.equal(got[0], 5, "what is compared stays as it is")
  end
  t.ok(same(gpu.buffer { 7 }, { 7 }))
end)

t.test("how often one is there counts", function()
  local r = report(gpu.buffer { 1, 1, 2 }, { 1, 2, 2 })
  t.equal(r.wrong, 1)
  t.equal(r.count, 3)
  t.equal(#r.extra, 1)
  t.equal(r.extra[1], 1.0)
  t.equal(#r.absent, 1)
  t.equal(r.absent[1], 2)
  t.equal(tostring(r), "1 of 3 elements are not among those expected, "
    .. "in any order: too many of 1; absent: 2")
end)

t.test("the tolerance is a part of what is expected, from 1 on", function()
  t.ok(same(gpu.buffer { 101, 0 }, { 0, 100 }, 0.0101))
  t.ok(not same(gpu.buffer { 102, 0 }, { 0, 100 }, 0.0101))
  t.ok(same(gpu.buffer { 0.25, 3 }, { 3, 0.5 }, 0.25))
  t.ok(not same(gpu.buffer { 0.125, 3 }, { 3, 0.5 }, 0.25))
  t.ok(same(gpu.buffer { -100.5, 3 }, { 3, -100 }, 0.01))
  t.ok(not same(gpu.buffer { -102, 3 }, { 3, -100 }, 0.01))
end)

t.test("nan is one of them, and comes last", function()
  local nan = 0 / 0
  t.ok(same(gpu.buffer { nan, 1, nan, 2 }, { 2, nan, 1, nan }))
  local r = report(gpu.buffer { nan, 1, 2 }, { 1, 2, 3 })
  t.equal(#r.extra, 1)
  t.ok(r.extra[1] ~= r.extra[1])
  t.has(tostring(r), "too many of nan; absent: 3")
  r = report(gpu.buffer { 1, 2, 3 }, { nan, 1, 2 })
  t.has(tostring(r), "too many of 3; absent: nan")
end)

t.test("vectors go by their first component that differs", function()
  local got = gpu.buffer("float2", { { 2, 1 }, { 1, 9 }, { 1, 3 } })
  t.ok(same(got, { { 1, 3 }, { 1, 9 }, { 2, 1 } }))
  t.ok(same(got, { { 1, 9 }, { 2, 1 }, { 1, 3 } }))
  t.ok(same(got, { { 1, 9 }, { 2, 1 }, { 1, 3.01 } }, 0.1))
  local r = report(got, { { 1, 3 }, { 1, 8 }, { 2, 1 } })
  t.equal(r.wrong, 1)
  t.has(tostring(r), "too many of (1, 9); absent: (1, 8)")
  r = report(got, { { 1, 3 }, { 1, 9 }, { 3, 1 } })
  t.has(tostring(r), "too many of (2, 1); absent: (3, 1)")
end)

t.test("of many, five are shown", function()
  local r = report(gpu.buffer { 1, 2, 3, 4, 5, 6 }, { 11, 12, 13, 14, 15, 16 })
  t.equal(r.wrong, 6)
  t.has(tostring(r), "too many of 1, 2, 3, 4, 5, …; absent: 11, 12, 13, 14, 15, …")
  r = report(gpu.buffer { 1, 2, 3, 4, 5 }, { 11, 12, 13, 14, 15 })
  t.has(tostring(r), "too many of 1, 2, 3, 4, 5; absent: 11, 12, 13, 14, 15")
end)

t.test("one too many, between others that are right", function()
  local r = report(gpu.buffer { 9, 2, 7, 5 }, { 2, 3, 5, 9 })
  t.equal(#r.extra, 1)
  t.equal(#r.absent, 1)
  t.equal(r.extra[1], 7.0)
  t.equal(r.absent[1], 3)
end)

t.test("lists of two lengths", function()
  t.raises("there are 2 elements and the reference has 3", multiset.equals,
    gpu.buffer { 1, 2 }, { 1, 2, 3 }, 0)
end)

-- Ten deviations of the rounding of n additions, of two sums.
t.test("the tolerance of a sum", function()
  t.near(tolerance.of_sum(3), 10 * 2.0 ^ -24, 1e-15)
  t.near(tolerance.of_sum(1024), 10 * 2.0 ^ -24 * (1024 / 3) ^ 0.5, 1e-15)
  t.near(tolerance.of_sum(4096) / tolerance.of_sum(1024), 2, 1e-12)
end)

t.done()
