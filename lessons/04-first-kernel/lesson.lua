return {
  title = "The first kernel", part = 1, minutes = 10,
  task = "Write the line of `scale` that makes y[i] three times x[i].",
  kernel = "scale",
  arguments = function(s, make)
    return { x = make.random(s.n), y = make.out("float", s.n) }
  end,
  outputs = { "y" },
  launch = function(s) return { grid = s.n, group = 32 } end,
  reference = function(s, arg, out)
    out.y:fill(arg.x)
    for i = 0, s.n - 1 do out.y[i] = 3 * arg.x[i] end
  end,
  tolerance = 1e-6,
  cases = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 31 }, { n = 33 },
    { n = 997 } },
  targets = {
    { profile = "device_writes", per = "busiest thread", at_most = 2,
      say = "There is a thread for every element: each writes its own." },
  },
  start_fails = "wrong",
  wrong = { ["only-the-first"] = "wrong", ["in-place"] = "compile",
    ["integer"] = "wrong", ["index-not-value"] = "wrong",
    ["one-thread-for-all"] = "target" },
  hints = {
    "Every thread runs the same function. What differs from thread to thread is i.",
    "The thread reads one element of x and writes one element of y, both at index i.",
    "The line is an assignment: y[i] = … ; and on its right stands 3 times x[i].",
  },
  challenges = {
    { name = "horner", title = "A polynomial",
      task = "`poly` makes y = 1 + 2x + 3x² + 4x³ + 5x⁴. The start calls pow. Fewer instructions for a thread.",
      score = { profile = "issued", per = "busiest thread", say = "Four steps, each a multiplication by x and an addition: begin with 5 x + 4." },
      wrong = "wrong",
      kernel = "poly",
      arguments = function(s, make)
        return { x = make.random(s.n), y = make.out("float", s.n) }
      end,
      outputs = { "y" },
      reference = function(s, arg, out)
        for i = 0, s.n - 1 do
          local x = arg.x[i]
          out.y[i] = 1 + x * (2 + x * (3 + x * (4 + x * 5)))
        end
      end,
      tolerance = 1e-5,
      hints = { "1 + x (2 + x (3 + x (4 + 5 x))): four multiplications and four additions.", "fma(a, b, c) is a * b + c in one instruction." } },
    { name = "vectors", title = "Four at a time",
      task = "`scale` again, with a thread for every four elements, and n a multiple of four: fewer instructions.",
      score = { profile = "issued", size = { n = 4096 }, say = "A float4 is read, multiplied and written at once." },
      wrong = "wrong",
      launch = function(s) return { grid = s.n // 4, group = 32 } end,
      cases = { { n = 4 }, { n = 8 }, { n = 1000 } },
      hints = { "The parameters may be pointers to float4." } },
  },
}
