return {
  title = "Guard", part = 1, minutes = 5,
  task = "Negate a matrix that the groups do not fit.",
  kernel = "negate",
  arguments = function(s, make)
    return { x = make.random(s.r, s.c), y = make.out("float", s.r, s.c), rows = s.r, columns = s.c }
  end,
  outputs = { "y" },
  launch = function(s) return { groups = { (s.c + 7) // 8, (s.r + 7) // 8 }, group = { 8, 8 } } end,
  reference = function(s, arg, out)
    for r = 0, s.r - 1 do for c = 0, s.c - 1 do out.y[r * s.c + c] = -arg.x[r * s.c + c] end end
  end,
  tolerance = 1e-6,
  picture = { size = { r = 3, c = 5 } },
  cases = { { r = 1, c = 1 }, { r = 3, c = 5 }, { r = 8, c = 8 }, { r = 9, c = 7 }, { r = 17, c = 33 } },
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
