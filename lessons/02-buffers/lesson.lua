local function look(b)
  if b == nil then return "there is no squares yet: squares = gpu.buffer(…) makes it" end
  if type(b) ~= "userdata" or getmetatable(b).__name ~= "buffer" then
    return ("squares is a %s; it should be a buffer: gpu.buffer(…)"):format(type(b))
  end
  if b.type ~= "int" then return ('its elements are %s and should be int: the type is named first, as in gpu.buffer("half", 8)'):format(b.type) end
  if #b ~= 100 then return ("it has %d elements and should have 100"):format(#b) end
  for i = 0, 99 do
    if b[i] ~= i * i then
      return ("squares[%d] is %d and should be %d%s"):format(i, b[i], i * i,
        b[i] == (i + 1) ^ 2 and ": the first index is 0" or b[i] == i and ": that is i, not i * i" or "")
    end
  end
end

return {
  title = "Buffers", part = 1, minutes = 10,
  task = "Make a buffer `squares` of 100 ints with squares[i] = i * i.",
  exercise = function(env)
    local why = look(env.squares)
    if why then return false, why end
    return true, "Right: 100 ints, from squares[0] = 0 to squares[99] = 9801."
  end,
  start_fails = "wrong",
  wrong = { ["floats"] = "wrong", ["from-one"] = "error", ["shifted"] = "wrong",
    ["iota"] = "wrong", ["a-table"] = "wrong" },
  hints = {
    'The type stands before the size: gpu.buffer("uint", 10) would be ten numbers without a sign.',
    "Indices go from 0 to 99, and squares[i] = i * i sets one of them.",
    'squares = gpu.buffer("int", 100) makes it; for i = 0, 99 do squares[i] = i * i end fills it.',
  },
  challenges = {
    { name = "squares-by-four", title = "Squares, four at a time",
      task = "A kernel `squares` that makes out[i] = i * i, with a thread for every four elements: write four ints at once. Fewer writes.",
      score = { profile = "device_writes", size = { n = 4096 }, say = "An int4 is one write of 16 bytes." },
      wrong = "wrong",
      kernel = "squares",
      arguments = function(s, make) return { out = make.out("int", s.n) } end,
      outputs = { "out" },
      launch = function(s) return { grid = s.n // 4, group = 64 } end,
      reference = function(s, arg, out)
        for i = 0, s.n - 1 do out.out[i] = i * i end
      end,
      cases = { { n = 4 }, { n = 12 }, { n = 1000 } },
      hints = { "int4 k = 4 * i + int4(0, 1, 2, 3); k * k is four squares." } },
    { name = "reverse", title = "Back to front",
      task = "`reverse` makes y[i] = x[n - 1 - i], with a thread for every two elements. Fewer instructions than the start: what does a thread that has both ends need to compute?",
      score = { profile = "issued", size = { n = 4096 }, say = "Read two neighbours as a float2, and turn them round by .yx." },
      wrong = "wrong",
      kernel = "reverse",
      arguments = function(s, make)
        return { x = make.random(s.n), y = make.out("float", s.n), n = s.n }
      end,
      outputs = { "y" },
      launch = function(s) return { grid = s.n // 2, group = 64 } end,
      reference = function(s, arg, out)
        for i = 0, s.n - 1 do out.y[i] = arg.x[s.n - 1 - i] end
      end,
      cases = { { n = 2 }, { n = 34 }, { n = 1000 } },
      hints = { "As float2 the buffers have as many elements as there are threads.", "x[threads - 1 - i].yx is a pair, turned round." } },
  },
}
