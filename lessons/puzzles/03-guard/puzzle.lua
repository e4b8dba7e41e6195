return {
  title = "Guard", part = 1, minutes = 5,
  task = "Negate a matrix that the groups do not fit.",
  kernel = "negate",
  arguments = function(s, make)
    return { x = make.random(s.rows, s.columns),
      y = make.out("float", s.rows, s.columns), rows = s.rows,
      columns = s.columns }
  end,
  outputs = { "y" },
  launch = function(s)
    return { groups = { (s.columns + 7) // 8, (s.rows + 7) // 8 },
      group = { 8, 8 } }
  end,
  reference = function(s, arg, out)
    for r = 0, s.rows - 1 do
      for c = 0, s.columns - 1 do
        out.y[r * s.columns + c] = -arg.x[r * s.columns + c]
      end
    end
  end,
  tolerance = 1e-6,
  picture = { size = { rows = 3, columns = 5 } },
  cases = { { rows = 1, columns = 1 }, { rows = 3, columns = 5 },
    { rows = 8, columns = 8 }, { rows = 9, columns = 7 },
    { rows = 17, columns = 33 } },
  targets = {
    { profile = "device_writes", per = "busiest thread", at_most = 1,
      say = "There is a thread for every element: each writes its own." },
  },
  start_fails = "wrong",
  wrong = { ["no-guard"] = { "out-of-bounds", "race" },
    ["guards-the-product"] = { "race", "target", "wrong" },
    ["rows-and-columns-swapped"] = { "wrong", "out-of-bounds" },
    ["one-row-each"] = "target" },
  hints = {
    "Two edges, two conditions: one for the columns, one for the rows.",
    "A thread with p.x >= columns would reach into the next row, so the index alone does not tell.",
    "if (p.x >= columns || p.y >= rows) return;",
  },
}
