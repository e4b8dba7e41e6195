return {
  title = "The first kernel", part = 1, minutes = 10,
  task = "Write the line of `scale` that makes y[i] three times x[i].",
  kernel = "scale",
  arguments = function(s, make) return { x = make.random(s.n), y = make.out("float", s.n) } end,
  outputs = { "y" },
  launch = function(s) return { grid = s.n, group = 32 } end,
  reference = function(s, arg, out) out.y:fill(arg.x); for i = 0, s.n - 1 do out.y[i] = 3 * arg.x[i] end end,
  tolerance = 1e-6,
  cases = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 31 }, { n = 33 }, { n = 997 } },
  targets = {
    { profile = "device_writes", per = "busiest thread", at_most = 2,
      say = "There is a thread for every element: each writes its own." },
  },
  start_fails = "wrong",
  wrong = { ["only-the-first"] = "wrong", ["in-place"] = "compile", ["integer"] = "wrong", ["index-not-value"] = "wrong",
    ["one-thread-for-all"] = "target" },
  hints = {
    "Every thread runs the same function. What differs from thread to thread is i.",
    "The thread reads one element of x and writes one element of y, both at index i.",
    "The line is an assignment: y[i] = … ; and on its right stands 3 times x[i].",
  },
}
