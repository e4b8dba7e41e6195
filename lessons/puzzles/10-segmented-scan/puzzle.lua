return {
  title = "Segmented scan", part = 3, minutes = 20,
  task = "Running sums that begin again wherever a flag is set.",
  kernel = "segmented_scan",
  arguments = function(s, make)
    return { x = make.whole(s.n), start = make.integers("uint", 0, 2, s.n),
      y = make.out("float", s.n), n = s.n }
  end,
  outputs = { "y" },
  launch = function(s) return { groups = 1, group = 256 } end,
  reference = function(s, arg, out)
    local sum = 0
    for i = 0, s.n - 1 do
      sum = (arg.start[i] == 1 and 0 or sum) + arg.x[i]
      out.y[i] = sum
    end
  end,
  tolerance = 1e-5,
  picture = { size = { n = 8 },
    values = { x = { 3, 1, 4, 1, 5, 9, 2, 6 },
      start = { 1, 0, 0, 1, 0, 0, 0, 1 } }, mark = 5 },
  cases = { { n = 1 }, { n = 2 }, { n = 31 }, { n = 64 }, { n = 255 },
    { n = 256 } },
  targets = {
    { profile = "issued", per = "busiest thread", of_solution = 2.5,
      say = "Eight rounds are enough: each looks back twice as far as the one before." },
  },
  start_fails = "wrong",
  wrong = { ["one-thread"] = "target",
    ["flags-do-not-travel"] = "wrong",
    ["one-barrier"] = { "race", "wrong" },
    ["no-segments"] = "wrong" },
  hints = {
    "Keep two things for each place: the sum of its range so far, and whether a start lies in that range.",
    "In a round of distance back: add sums[t - back] only if starts[t] is 0; then starts[t] |= starts[t - back].",
    "Read both into variables, barrier, write both, barrier: as in a scan.",
  },
}
