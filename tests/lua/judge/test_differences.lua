-- test_differences.lua - the table of the first wrong elements that a judge
-- shows, line by line (of no device).
--
-- Guards: lua/judge/table.lua: which elements are wrong by the tolerance, how
-- many there are, where they are, what stands beside them
local t = dofile "tests/tap.lua"
local differences = require "lua.judge.table"

-- What is shown of an output that should be 'wanted'.
local function lines(value, wanted, most, arguments)
  local output = { name = "out", value = value }
  local p = { tolerance = most or 0, arguments = arguments or {} }
  return table.concat(differences.lines(p, output, wanted), "\n")
end

t.test("one wrong element", function()
  t.equal(lines(gpu.buffer { 1, 2.5, 3 }, { 1, 2, 3 }),
    "  out: 1 of 3 elements is wrong\n"
    .. "    index  got  expected\n"
    .. "    [1]    2.5         2")
  t.equal(lines(gpu.buffer { 4 }, { 5 }),
    "  out: 1 of 1 element is wrong\n"
    .. "    index  got  expected\n"
    .. "    [0]      4         5")
end)

t.test("five are shown, the others counted", function()
  local text = lines(gpu.buffer("int", { 1, 2, 3, 4, 5, 6, 7 }),
    { 0, 0, 0, 0, 0, 0, 7 })
  t.has(text, "out: 6 of 7 elements are wrong")
  t.has(text, "    [4]      5         0\n    … and 1 more")
  t.ok(not text:find("[5]", 1, true))
  text = lines(gpu.buffer("int", { 1, 2, 3, 4, 5, 6 }), { 0, 0, 0, 0, 0, 6 })
  t.ok(not text:find("more", 1, true))
  text = lines(gpu.buffer("int", { 1, 2, 3, 4, 5, 6, 7 }),
    { 0, 0, 0, 0, 0, 0, 0 })
  t.has(text, "… and 2 more")
end)

t.test("the tolerance is a part of what is expected, from 1 on", function()
  local function wrong(got, wanted, most)
    return lines(gpu.buffer { got, 0 }, { wanted, 1e9 }, most)
      :find("[0]", 1, true) ~= nil
  end
  t.equal(wrong(101, 100, 0.0101), false)
  t.equal(wrong(102, 100, 0.0101), true)
  t.equal(wrong(0.75, 0.5, 0.25), false)
  t.equal(wrong(0.875, 0.5, 0.25), true)
  t.equal(wrong(-101, -100, 0.0101), false)
  t.equal(wrong(-102, -100, 0.0101), true)
  t.equal(wrong(0 / 0, 0 / 0, 0), false)
  t.equal(wrong(0 / 0, 1, 1), true)
  t.equal(wrong(1, 0 / 0, 1), true)
  t.equal(wrong(math.huge, math.huge, 0), false)
  t.equal(wrong(math.huge, 1, 0.5), true)
end)

t.test("what was there before is said", function()
  local text = lines(gpu.buffer { 0 / 0, 85 }, { 1, 1 })
  t.has(text, "[0]    nan         1  <- never written, or not a number")
  t.has(text, "[1]     85         1")
  t.ok(not text:find("85 was there", 1, true), "a float of 85 is a value")
  text = lines(gpu.buffer("int", { 85, 84 }), { 1, 1 })
  t.has(text, "[0]     85         1  <- never written? 85 was there before")
  t.ok(not text:find("84         1  <-", 1, true))
end)

t.test("vectors", function()
  local text = lines(gpu.buffer("float2", { { 1, 2 }, { 3, 4 }, { 5, 6 } }),
    { { 1, 2 }, { 3, 4.5 }, { 5, 6 } })
  t.has(text, "out: 1 of 3 elements is wrong")
  t.has(text, "[1]    (3, 4)  (3, 4.5)")
  text = lines(gpu.buffer("float2", { { 0 / 0, 2 } }), { { 1, 2 } })
  t.has(text, "<- never written, or not a number")
end)

t.test("places of two dimensions", function()
  local out = gpu.buffer("int", { 0, 0, 0, 0, 0, 9 }):reshape(2, 3)
  t.has(lines(out, { 0, 0, 0, 0, 0, 0 }), "[1, 2]    9         0")
  out = gpu.buffer("int", { 0, 8, 0, 0, 0, 0 }):reshape(2, 3)
  t.has(lines(out, { 0, 0, 0, 0, 0, 0 }), "[0, 1]    8         0")
end)

t.test("inputs of its shape stand beside it, two at most", function()
  local text = lines(gpu.buffer { 1, 2 }, { 1, 3 }, 0,
    { x = gpu.buffer { 7, 8 }, other = gpu.buffer { 1, 2, 3 }, n = 2,
      a = gpu.buffer { 4, 5.25 }, z = gpu.buffer { 0, 0 },
      out = gpu.buffer { 6, 6 } })
  t.has(text, "    index     a  x  got  expected")
  t.has(text, "    [1]    5.25  8    2         3")
end)

t.test("numbers as they are", function()
  local text = lines(gpu.buffer("int", { -7 }), { 1e7 })
  t.has(text, "[0]     -7     1e+07")
  t.has(lines(gpu.buffer { 0.1 }, { 12345.678 }), "[0]    0.1   12345.7")
end)

t.done()
