return {
  title = "Zip", part = 1, minutes = 3,
  task = "Add two lists, element by element.",
  kernel = "zip",
  arguments = function(s, make)
    return { a = make.whole(s.n), b = make.whole(s.n),
      c = make.out("float", s.n) }
  end,
  outputs = { "c" },
  launch = function(s) return { grid = s.n } end,
  reference = function(s, arg, out)
    for i = 0, s.n - 1 do out.c[i] = arg.a[i] + arg.b[i] end
  end,
  tolerance = 1e-6,
  picture = { size = { n = 8 } },
  cases = { { n = 1 }, { n = 2 }, { n = 33 }, { n = 1000 } },
  targets = {
    { profile = "device_reads", per = "busiest thread", at_most = 2,
      say = "Two numbers make one: no thread needs a third." },
  },
  start_fails = "wrong",
  wrong = { ["same-list-twice"] = "wrong",
    ["one-behind"] = "wrong",
    ["reads-all"] = "target" },
  hints = {
    "Each thread takes the element with its own number from both lists.",
    "a[i] and b[i] are numbers like any others: add them.",
    "c[i] = a[i] + b[i];",
  },
}
