return {
  title = "Broadcast", part = 1, minutes = 5,
  task = "Make a table of sums from a column and a row.",
  kernel = "table",
  arguments = function(s, make)
    return { a = make.random(s.r), b = make.random(s.c), t = make.out("float", s.r, s.c) }
  end,
  outputs = { "t" },
  launch = function(s) return { grid = { s.c, s.r } } end,
  reference = function(s, arg, out)
    for r = 0, s.r - 1 do for c = 0, s.c - 1 do out.t[r * s.c + c] = arg.a[r] + arg.b[c] end end
  end,
  tolerance = 1e-6,
  picture = { size = { r = 3, c = 5 } },
  cases = { { r = 1, c = 1 }, { r = 2, c = 3 }, { r = 5, c = 4 }, { r = 20, c = 37 } },
  targets = {
    { profile = "device_writes", per = "busiest thread", at_most = 1,
      say = "One thread for each element of the table, not for each row." },
  },
  start_fails = "wrong",
  wrong = { ["transposed"] = "wrong",
    ["swapped-lists"] = { "wrong", "out-of-bounds" },
    ["a-row-each"] = "target" },
  hints = {
    "Row r of the table begins at t[r * size.x].",
    "The thread at p writes row p.y, column p.x, so it needs a[p.y] and b[p.x].",
    "t[p.y * size.x + p.x] = a[p.y] + b[p.x];",
  },
}
