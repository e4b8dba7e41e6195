return {
  title = "Launch overhead: the price of starting", part = 4, minutes = 12,
  task = "Make `normalise` treat all vectors in one launch.",
  kernel = "normalise",
  arguments = function(s, make)
    local x = make.random(s.length * s.count, nil, -3, -0.5)
    -- the largest is mostly a negative one
    for i = 0, s.length * s.count - 1, 2 do x[i] = -x[i] / 4 end
    if s.zeros then x:view((s.count - 1) * s.length, s.length):fill(0) end
    return { x = x, y = make.out("float", s.length * s.count),
      length = s.length, count = s.count }
  end,
  outputs = { "y" },
  launch = function(s) return { grid = { s.length, s.count } } end,
  reference = function(s, arg, out)
    for v = 0, s.count - 1 do
      local first, largest = v * s.length, 0
      for k = first, first + s.length - 1 do
        largest = math.max(largest, math.abs(arg.x[k]))
      end
      for k = first, first + s.length - 1 do
        out.y[k] = largest > 0 and arg.x[k] / largest or 0
      end
    end
  end,
  tolerance = 1e-6,
  cases = { { length = 1, count = 1 }, { length = 2, count = 3 },
    { length = 3, count = 2 }, { length = 5, count = 1 },
    { length = 7, count = 4, zeros = true }, { length = 31, count = 33 },
    { length = 65, count = 17 } },
  targets = {
    { profile = "device_writes", per = "busiest thread", at_most = 2,
      size = { length = 64, count = 16 },
      say = "Thread (i, v) writes element i of vector v: there is a thread for each element." },
  },
  start_fails = { "wrong", "race", "coverage" },
  wrong = {
    ["count-for-length"] = { "wrong", "out-of-bounds", "coverage", "race" },
    ["not-absolute"] = "wrong", ["divides-by-zero"] = "wrong",
    ["largest-of-the-first"] = "wrong", ["one-thread-for-all"] = "target",
    ["one-thread-for-a-vector"] = "target" },
  hints = {
    "at.x says which element, at.y says which vector. Where in x does vector v begin?",
    "Vectors lie one after the other and have `length` elements each: vector v begins at v * length.",
    "`uint first = at.y * length;` is the only change.",
  },
  challenges = {
    { name = "a-simdgroup-each", title = "A SIMD-group for each vector",
      task = "32 threads now have one vector. In the start each lane looks for the largest on its own. Fewer reads of device memory.",
      score = { profile = "device_reads", size = { length = 65, count = 16 }, say = "Each lane keeps its elements in variables; simd_max finds the largest of all lanes." },
      wrong = "wrong",
      launch = function(s) return { groups = s.count, group = 32 } end,
      hints = { "simd_max(v) is the largest over the lanes, so each lane reads only its share.", "No vector here is longer than 128: a lane can keep its four elements, and read each once." } },
    { name = "short-vectors", title = "Short vectors",
      task = "All vectors have eight elements here, and there is one thread for each: two float4 hold a vector. Fewer reads of device memory.",
      score = { profile = "device_reads", size = { length = 8, count = 256 }, say = "Eight floats are two float4: two reads for a vector." },
      wrong = "wrong",
      launch = function(s) return { grid = s.count, group = 64 } end,
      cases = { { length = 8, count = 1 },
        { length = 8, count = 33, zeros = true }, { length = 8, count = 100 } },
      hints = { "max and abs take float4 too: four comparisons at once." } },
  },
}
