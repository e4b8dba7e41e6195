return {
  title = "Sort", part = 3, minutes = 20,
  task = "Sort up to 256 numbers with one group: a bitonic sort.",
  kernel = "sort",
  arguments = function(s, make)
    return { x = make.random(s.n), y = make.out("float", s.n), n = s.n }
  end,
  outputs = { "y" },
  launch = function(s) return { groups = 1, group = 256 } end,
  reference = function(s, arg, out)
    local list = {}
    for i = 0, s.n - 1 do list[i + 1] = arg.x[i] end
    table.sort(list)
    for i = 0, s.n - 1 do out.y[i] = list[i + 1] end
  end,
  picture = { size = { n = 8 }, values = { x = { 3, 1, 4, 1, 5, 9, 2, 6 } },
    mark = 3 },
  cases = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 31 }, { n = 100 },
    { n = 256 } },
  targets = {
    { profile = "issued", per = "busiest thread", of_solution = 1.6,
      say = "36 rounds of one comparison each: no thread looks at all the others." },
  },
  start_fails = "wrong",
  wrong = { ["counts-the-smaller"] = "target",
    ["always-rising"] = "wrong",
    ["no-barrier"] = { "race", "wrong" },
    ["zeros-past-the-end"] = "wrong" },
  hints = {
    "Put x into threadgroup memory, INFINITY past n; then two loops, over length and distance, with a barrier at the start of each round.",
    "The thread with the smaller number of the pair does the work: if (partner < t) it has nothing to do in this round, but it must reach the next barrier.",
    "Swap if (a > b) == rising, where rising is (t & length) == 0.",
  },
}
