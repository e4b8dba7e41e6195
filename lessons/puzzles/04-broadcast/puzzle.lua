return {
  title = "Broadcast", part = 1, minutes = 5,
  task = "Make a table of sums from a column and a row.",
  kernel = "table",
  arguments = function(s, make)
    return { a = make.random(s.rows), b = make.random(s.columns),
      t = make.out("float", s.rows, s.columns) }
  end,
  outputs = { "t" },
  launch = function(s) return { grid = { s.columns, s.rows } } end,
  reference = function(s, arg, out)
    for r = 0, s.rows - 1 do
      for c = 0, s.columns - 1 do
        out.t[r * s.columns + c] = arg.a[r] + arg.b[c]
      end
    end
  end,
  tolerance = 1e-6,
  picture = { size = { rows = 3, columns = 5 } },
  cases = { { rows = 1, columns = 1 }, { rows = 2, columns = 3 },
    { rows = 5, columns = 4 }, { rows = 20, columns = 37 } },
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
