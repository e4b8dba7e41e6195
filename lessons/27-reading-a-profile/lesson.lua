return {
  title = "Reading a profile", part = 4, minutes = 20,
  task = "Make `rating` cheap: one write a thread, no wasted lines, no idle lanes.",
  kernel = "rating",
  arguments = function(s, make)
    return { x = make.random("float", 4 * s.n, nil, 0, 1),
      y = make.out("float", s.n), w = { 0.1, 0.2, 0.3, 0.4 } }
  end,
  outputs = { "y" },
  launch = function(s) return { grid = s.n, group = 64 } end,
  reference = function(s, arg, out)
    for i = 0, s.n - 1 do
      local v = 0.1 * arg.x[4 * i] + 0.2 * arg.x[4 * i + 1]
        + 0.3 * arg.x[4 * i + 2] + 0.4 * arg.x[4 * i + 3]
      for _ = 1, 16 do v = v - (i % 2 == 0 and 0.1 or 0.2) * v * v end
      out.y[i] = v
    end
  end,
  tolerance = 1e-5,
  cases = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 65 }, { n = 500 } },
  targets = {
    { profile = "device_writes", per = "busiest thread", at_most = 1,
      size = { n = 2048 },
      say = "A thread should compute in a variable and write y[i] once, at the end." },
    { profile = "lines", at_most = 352, size = { n = 2048 },
      say = "Four floats of a record lie side by side: read them as one float4, and a SIMD-group uses all of every line." },
    { profile = "issued", of_solution = 1.4, size = { n = 2048 },
      say = "Both loops are paid for where a SIMD-group splits: choose the number d, not the loop." },
  },
  start_fails = "target",
  wrong = { ["two-loops"] = "target", ["four-reads"] = "target",
    ["sums-in-memory"] = "target",
    ["half-a-cast"] = { "wrong", "out-of-bounds" },
    ["damped-by-one-number"] = "wrong",
    ["one-thread-for-two"] = { "target", "wrong", "out-of-bounds" } },
  hints = {
    "Start with the writes: `float v = 0;` instead of y[i], and one `y[i] = v;` at the end. Profile again.",
    "The branch: `float d = i % 2 == 0 ? 0.1f : 0.2f;` and one loop.",
    "The lines: ((device const float4 *)x)[i] is the whole record in one read. dot(w, r) is the weighted sum; it needs metal_stdlib.",
  },
  challenges = {
    { name = "loop-costs", title = "The loop costs, too",
      task = "Of the instructions of our solution only some are the damping; the others count, compare and jump. Fewer instructions, with the same answer.",
      score = { profile = "issued", size = { n = 2048 }, say = "Written out, sixteen dampings need no counter, no comparison and no jump." },
      wrong = "wrong",
      hints = { "Do several steps in each round of the loop, or all sixteen without one.",
        "A function damp(v, d) that is called sixteen times is as good as sixteen lines." } },
    { name = "half-a-record", title = "Half of a record",
      task = "`rating_of_two`: y[i] is the mean of a and b, the first two of the four floats of record i. The other two are moved with them, whatever one does; but the instructions can be fewer.",
      score = { profile = "issued", size = { n = 2048 }, say = "a and b lie side by side: one read of a float2." },
      kernel = "rating_of_two",
      arguments = function(s, make)
        return { x = make.random("float", 4 * s.n, nil, 0, 1),
          y = make.out("float", s.n) }
      end,
      reference = function(s, arg, out)
        for i = 0, s.n - 1 do
          out.y[i] = (arg.x[4 * i] + arg.x[4 * i + 1]) / 2
        end
      end,
      wrong = "wrong",
      hints = { "As float2 the buffer has two elements for each record; the first is a and b.", "((device const float2 *)x)[2 * i]" } },
    { name = "even-and-odd", title = "Two kinds of threads",
      task = "`waves`: y[i] is sin(x[i]) for even i and cos(x[i]) for odd i. In the start every SIMD-group runs both. A cosine is a sine a quarter turn on: fewer instructions.",
      score = { profile = "issued", size = { n = 2048 }, say = "Choose the number that goes into the function, not the function." },
      kernel = "waves",
      arguments = function(s, make)
        return { x = make.random("float", s.n, nil, 0, 3),
          y = make.out("float", s.n) }
      end,
      reference = function(s, arg, out)
        for i = 0, s.n - 1 do
          out.y[i] = i % 2 == 0 and math.sin(arg.x[i]) or math.cos(arg.x[i])
        end
      end,
      tolerance = 1e-4, wrong = "wrong",
      hints = { "cos(x) is sin(x + π / 2), and M_PI_F is π.", "sin(x[i] + (i % 2) * (M_PI_F / 2))" } },
  },
}
