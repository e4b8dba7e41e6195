-- test_picture.lua - pictures of tiny tasks, line by line: what is marked, how
-- wide cells are and where a list goes on; what a kernel gives beside it, where
-- the kernel is a function in Lua (of no device).
--
-- Guards: lua/judge/picture.lua: each condition on both of its sides
local t = dofile "tests/tap.lua"
local picture = require "lua.judge.picture"

-- y[i] is x[i] and the one before it.
local function task(data)
  local d = { kernel = "k", outputs = { "y" },
    arguments = function(s, make)
      return { x = make.random(s.n), y = make.out("float", s.n), n = s.n }
    end,
    launch = function(s) return { grid = s.n } end,
    reference = function(s, arg, out)
      for i = 0, s.n - 1 do
        out.y[i] = arg.x[i] + (i > 0 and arg.x[i - 1] or 0)
      end
    end,
    picture = { size = { n = 4 }, values = { x = { 1, 2, 3, 4 } } } }
  for key, v in pairs(data or {}) do d[key] = v end
  return { data = d }
end

local function drawn(data, kernel)
  local lines = picture.lines(task(data), kernel)
  return lines and table.concat(lines, "\n")
end

-- The task with these values of x, and the element that is marked.
local function with(values, mark)
  return { picture = { size = { n = #values }, values = { x = values },
    mark = mark } }
end

t.test("an element and all that it is made of", function()
  t.equal(drawn(), [=[
  x        1 [2][3] 4
  ↓  n = 4; in brackets: y[2] and what it is made of
  y        1  3 [5] 7]=])
  t.equal(drawn(with({ 1, 2, 3, 4 }, 0)), [=[
  x       [1] 2  3  4
  ↓  n = 4; in brackets: y[0] and what it is made of
  y       [1] 3  5  7]=])
  t.equal(drawn(with({ 1, 2, 3, 4 }, 3)), [=[
  x        1  2 [3][4]
  ↓  n = 4; in brackets: y[3] and what it is made of
  y        1  3  5 [7]]=])
end)

t.test("a source may matter only if it changes much, or falls", function()
  local function reference(f)
    return { reference = function(s, arg, out)
      for i = 0, s.n - 1 do out.y[i] = f(arg.x, i) end
    end, picture = { size = { n = 2 }, values = { x = { 5, 10 } }, mark = 0 } }
  end
  t.has(drawn(reference(function(x) return math.max(x[0], x[1]) end)),
    "  x       [ 5][10]\n")
  t.has(drawn(reference(function(x) return math.min(x[0] - 56, x[1] - 12) end)),
    "  x       [  5][ 10]\n", "only a fall by 50 shows it")
  t.has(drawn(reference(function(x) return x[0] end)), "  x       [ 5] 10\n")
  -- nan stays nan; an index that leads away gives no answer
  t.has(drawn(reference(function(x) return x[0] * (0 / 0) end)),
    "  x         5  10\n")
  t.has(drawn(reference(function(x, i)
    if x[1] ~= 10 then error "away" end
    return x[0]
  end)), "  x       [ 5] 10\n")
end)

t.test("numbers are as short as they can be", function()
  local function cells(...)
    return drawn(with({ ... }, 0)):match "\n?  x +(.-)\n"
  end
  t.equal(cells(1, 0.5), "[   1] 0.50")
  t.equal(cells(0 / 0, 2), "·  2")
  t.equal(cells(999999, -1), "[999999]     -1")
  t.equal(cells(1e6, 1), "[1e+06]     1")
  t.equal(cells(-1e6, 1), "[ -1e+06]       1")
  t.equal(cells(999.5, 1), "[999.50]      1")
  t.equal(cells(1000.5, 1), "[1e+03]     1")
  t.equal(cells(-1234.5, 1), "[-1.23e+03]         1")
end)

t.test("a long list goes on below, at a power of two", function()
  local values = {}
  for i = 1, 22 do values[i] = i % 5 end
  local function lines_of(n)
    return picture.lines(task(with({ table.unpack(values, 1, n) }, 0)))
  end
  t.equal(#lines_of(22), 3)
  values[23] = 3
  local lines = lines_of(23)
  t.equal(#lines, 5)
  t.equal(lines[1], "  x       [1] 2  3  4  0  1  2  3  4  0  1  2  3  4  0  1")
  t.equal(lines[2], "           2  3  4  0  1  2  3")
  values = {}
  for i = 1, 12 do values[i] = 1000 end
  lines = picture.lines(task(with(values, 0)))
  t.equal(#lines, 5, "eight in a row, where eleven have room")
  t.equal(lines[1],
    "  x       [1000] 1000  1000  1000  1000  1000  1000  1000")
  t.equal(lines[2], "           1000  1000  1000  1000")
end)

t.test("rows of an image, and places in it", function()
  local data = { arguments = function(s, make)
    return { x = make.random(6):reshape(2, 3), far = 2.5,
      y = make.out("float", 6):reshape(2, 3) }
  end,
    reference = function(_, arg, out)
      for i = 0, 5 do
        out.y:reshape(6)[i] = arg.x:reshape(6)[5 - i]
      end
    end,
    picture = { size = { n = 6 }, values = { x = { 1, 2, 3, 4, 5, 6 } },
      mark = 4 } }
  t.equal(drawn(data), [=[
  x        1 [2] 3
           4  5  6
  ↓  far = 2.5; in brackets: y[1, 1] and what it is made of
  y        6  5  4
           3 [2] 1]=])
  data.picture.mark = nil
  t.has(drawn(data), "y[1, 0]", "the middle, if none is named")
end)

t.test("inputs stand in the order of their names", function()
  local data = { arguments = function(s, make)
    return { b = make.random(2), a = make.random(2), y = make.out("float", 2),
      n = 2, m = 3 }
  end,
    reference = function(_, arg, out)
      for i = 0, 1 do out.y[i] = arg.a[i] * 10 + arg.b[i] end
    end,
    picture = { size = { n = 2 }, values = { a = { 1, 2 }, b = { 3, 4 } } } }
  t.equal(drawn(data), [=[
  a         1 [ 2]
  b         3 [ 4]
  ↓  m = 3, n = 2; in brackets: y[1] and what it is made of
  y        13 [24]]=])
end)

t.test("the first of two answers is marked", function()
  local data = { outputs = { "y", "z" }, arguments = function(s, make)
    return { x = make.random(2), y = make.out("float", 2),
      z = make.out("float", 2) }
  end,
    reference = function(_, arg, out)
      for i = 0, 1 do out.y[i], out.z[i] = arg.x[i], 100 * arg.x[i] end
    end,
    picture = { size = { n = 2 }, values = { x = { 1, 2 } } } }
  t.equal(drawn(data), [=[
  x          1 [  2]
  ↓  in brackets: y[1] and what it is made of
  y          1 [  2]
  z        100  200]=])
end)

----------------------------------------------------------------------- kernels

-- A kernel that gives f(i, x) at i.
local function kernel(f)
  return function(launch)
    for i = 0, #launch.y - 1 do launch.y[i] = f(i, launch.x) end
    return { time = 0, wall = 0 }
  end
end

t.test("what a kernel gives stands below, the wrong ones marked", function()
  t.equal(drawn(nil, kernel(function(i, x) return x[i] end)), [=[
  x        1 [2][3] 4
  ↓  n = 4; in brackets: y[2] and what it is made of
  y        1  3 [5] 7
  yours    1  2✗ 3✗ 4✗]=])
  t.equal(drawn(nil, kernel(function(i) return i == 2 and 0 / 0 or -100 end)),
    [=[
  x           1 [   2][   3]    4
  ↓  n = 4; in brackets: y[2] and what it is made of
  y           1     3 [   5]    7
  yours    -100✗ -100✗    ·✗ -100✗]=])
end)

t.test("a right kernel has no picture, nor one that stops", function()
  local function right(more)
    return kernel(function(i, x)
      return (x[i] + (i > 0 and x[i - 1] or 0)) * more
    end)
  end
  t.equal(drawn(nil, right(1)), nil)
  t.equal(drawn(nil, right(1.0009)), nil)
  t.ok(drawn(nil, right(1.002)))
  t.equal(drawn(nil, function() error "it stops" end), nil)
  -- below 1 the difference counts as it is
  local small = with({ 0.25, 0.25 }, 0)
  t.equal(drawn(small, kernel(function(i, x)
    return x[i] + (i > 0 and x[i - 1] or 0) + 0.0009
  end)), nil)
end)

t.test("cells that do not fit have widths of their own", function()
  local values = {}
  for i = 1, 16 do values[i] = i % 3 end
  local text = drawn(with(values, 0), kernel(function() return 12345 end))
  t.has(text, "  x       [1] 2  0  1", "as wide as they are")
  t.has(text, "  yours    12345✗ 12345✗")
  values = {}
  for i = 1, 9 do values[i] = i % 3 end
  text = drawn(with(values, 0), kernel(function() return 12345 end))
  t.has(text, "  x       [    1]     2      0", "all alike where they fit")
  t.has(text, "  y       [    1]     3")
end)

---------------------------------------------------------------------- mistakes

t.test("pictures that cannot be drawn, or are too large", function()
  local function mistake(data) return picture.mistake(task(data)) end
  local needs = "picture needs size: a tiny case"
  t.equal(mistake(), nil)
  t.equal(mistake { picture = true }, needs)
  t.equal(mistake { picture = {} }, needs)
  t.equal(mistake { picture = { size = 4 } }, needs)
  t.has(mistake { reference = function() error("oh", 0) end },
    "the picture cannot be drawn: oh")
  local function rows(n)
    return mistake { arguments = function(s, make)
      return { x = make.random(n):reshape(n, 1), y = make.out("float", 1) }
    end, reference = function(_, arg, out) out.y[0] = 1 end,
      picture = { size = { n = 1 }, mark = 0 } }
  end
  t.equal(rows(12), nil)
  t.equal(rows(13), "the picture has 15 lines")
  local function columns(n)
    return mistake { arguments = function(s, make)
      return { x = make.random(n):reshape(1, n), y = make.out("float", 1) }
    end,
      reference = function(_, arg, out)
        out.y[0] = arg.x:reshape(n)[n - 1]
      end, picture = { size = { n = 1 }, mark = 0 } }
  end
  t.equal(columns(22), nil)
  t.equal(columns(23), "the picture has 79 columns")
end)

t.done()
