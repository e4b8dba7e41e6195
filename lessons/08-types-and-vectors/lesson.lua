return {
  title = "Types and vectors", part = 1, minutes = 15,
  task = "Make `lengths` right: points of 12 bytes each in, their lengths as half out.",
  kernel = "lengths",
  arguments = function(s, make)
    return { points = make.random("packed_float3", s.n, nil, -s.size, s.size),
      out = make.out("half", s.n) }
  end,
  outputs = { "out" },
  launch = function(s) return { grid = s.n, group = 64 } end,
  reference = function(s, arg, out)
    for i = 0, s.n - 1 do
      local p = arg.points[i]
      out.out[i] = math.sqrt(p[1] * p[1] + p[2] * p[2] + p[3] * p[3])
    end
  end,
  tolerance = 2e-3,
  cases = { { n = 1, size = 1 }, { n = 2, size = 1 }, { n = 3, size = 4 },
    { n = 4, size = 4 }, { n = 31, size = 10 }, { n = 65, size = 300 },
    { n = 997, size = 1000 } },
  targets = {
    { profile = "device_writes", per = "busiest thread", at_most = 2,
      say = "There is a thread for every point: each writes one length." },
  },
  start_fails = { "wrong", "out-of-bounds", "misaligned", "error" },
  wrong = {
    ["three-times-i"] = { "wrong", "out-of-bounds", "error" },
    ["half-arithmetic"] = "wrong",
    ["squared"] = "wrong",
    ["two-of-three"] = "wrong",
    ["a-whole-number"] = "wrong",
    ["one-thread-for-all"] = "target",
  },
  hints = {
    "How many bytes does a float3 take in a buffer, and how many has a point of this data?",
    "The vector types without gaps begin with packed_: the parameter becomes device const packed_float3 *points.",
    "half ends at 65504, and 300 × 300 is more. Compute in float, and convert at the end.",
    "float3 p = float3(points[i]); out[i] = half(length(p));",
  },
  challenges = {
    { name = "four-points", title = "Four points from three float4",
      task = "Four points of 12 bytes are three `float4`. With a thread for every four points, read them so, and write four halfs at once. n is a multiple of four. Fewer reads.",
      score = { profile = "device_reads", size = { n = 1024, size = 10 }, say = "Three float4 hold four points; which of the twelve numbers belong to which?" },
      wrong = "wrong",
      launch = function(s) return { grid = s.n // 4, group = 64 } end,
      cases = { { n = 4, size = 1 }, { n = 8, size = 4 },
        { n = 1000, size = 300 } },
      hints = { "a.x a.y a.z | a.w b.x b.y | b.z b.w c.x | c.y c.z c.w: these are the four points." } },
    { name = "dot-of-halfs", title = "Dot products of halfs",
      task = "`dots`: out[i] is the dot product of four halfs of a with four of b. The start reads them one by one; a thread can read four halfs, 8 bytes, at once. Fewer reads.",
      score = { profile = "device_reads", per = "busiest thread", size = { n = 1024 }, say = "A half4 is one read of 8 bytes." },
      wrong = "out-of-bounds",
      kernel = "dots",
      arguments = function(s, make)
        return { a = make.random("half", 4 * s.n),
          b = make.random("half", 4 * s.n), out = make.out("float", s.n) }
      end,
      reference = function(s, arg, out)
        for i = 0, s.n - 1 do
          local sum = 0
          for k = 4 * i, 4 * i + 3 do sum = sum + arg.a[k] * arg.b[k] end
          out.out[i] = sum
        end
      end,
      cases = { { n = 1 }, { n = 33 }, { n = 1000 } },
      hints = { "half4, turned into float4 before it is multiplied." } },
  },
}
