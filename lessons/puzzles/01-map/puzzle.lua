return {
  title = "Map", part = 1, minutes = 3,
  task = "Add 10 to every element.",
  kernel = "map",
  arguments = function(s, make)
    return { x = make.random(s.n), y = make.out("float", s.n) }
  end,
  outputs = { "y" },
  launch = function(s) return { grid = s.n } end,
  reference = function(s, arg, out)
    for i = 0, s.n - 1 do out.y[i] = arg.x[i] + 10 end
  end,
  tolerance = 1e-6,
  picture = { size = { n = 8 } },
  cases = { { n = 1 }, { n = 2 }, { n = 8 }, { n = 100 }, { n = 997 } },
  targets = {
    { profile = "device_writes", per = "busiest thread", at_most = 1,
      say = "There is a thread for every element: each writes its own." },
  },
  start_fails = "wrong",
  wrong = { ["first-only"] = "wrong", ["in-place"] = "compile",
    ["one-thread"] = "target" },
  hints = {
    "Thread i is there for element i: it reads x[i] and writes y[i].",
    "No loop is needed. The grid has as many threads as there are elements.",
    "The whole body is: y[i] = x[i] + 10;",
  },
}
