return {
  title = "Softmax: a formula that overflows", part = 5, minutes = 15,
  task = "Make `softmax` right for scores of any size, with a SIMD-group for each row.",
  kernel = "softmax",
  arguments = function(s, make)
    local x = make.random(s.rows, s.columns, s.low, s.high)
    return { x = x, y = make.out("float", s.rows, s.columns), columns = s.columns }
  end,
  outputs = { "y" },
  launch = function(s) return { groups = s.rows, group = 32 } end,
  reference = function(s, arg, out) cpu.softmax(arg.x, out.y) end,
  tolerance = 1e-4,
  cases = { { rows = 1, columns = 1, low = -1, high = 1 }, { rows = 1, columns = 2, low = -1, high = 1 },
    { rows = 2, columns = 3, low = -20, high = 20 }, { rows = 3, columns = 31, low = 500, high = 1000 },
    { rows = 5, columns = 33, low = -1000, high = -900 }, { rows = 4, columns = 65, low = -1000, high = 1000 },
    { rows = 7, columns = 257, low = -5, high = 5 } },
  targets = {
    { profile = "lines", of_solution = 1.6, size = { rows = 16, columns = 256, low = -1, high = 1 },
      say = "The lanes should go through the row side by side." },
    { profile = "active", at_least = 0.6, size = { rows = 16, columns = 256, low = -1, high = 1 },
      say = "All 32 lanes should take part: lane 0 alone leaves 31 of them idle." },
    { profile = "issued", per = "busiest thread", of_solution = 4, size = { rows = 16, columns = 256, low = -1, high = 1 },
      say = "Each lane looks at every 32nd score; simd_max and simd_sum join what they found." },
  },
  start_fails = "wrong",
  wrong = { ["largest-of-the-lane"] = "wrong", ["sum-of-the-lane"] = "wrong", ["largest-starts-at-zero"] = "wrong",
    ["one-lane"] = "target",
    ["every-lane-does-all"] = "target" },
  hints = {
    "Find the largest score of the row first, and subtract it in both places where exp is called.",
    "Each lane looks at every 32nd score, beginning with `float m = -INFINITY`; then `m = simd_max(m)` gives all lanes the largest of all.",
    "Three loops: for m, for the sum of exp(in[i] - m), and for out[i] = exp(in[i] - m) / sum.",
  },
}
