return {
  title = "Compaction", part = 3, minutes = 15,
  task = "Keep the positive elements, in their order, without gaps.",
  kernel = "keep_positive",
  arguments = function(s, make)
    return { x = make.whole(s.n), y = make.zeros("float", s.n),
      count = make.out("uint", 1), n = s.n }
  end,
  outputs = { "y", "count" },
  launch = function(s) return { groups = 1, group = 256 } end,
  reference = function(s, arg, out)
    local k = 0
    for i = 0, s.n - 1 do out.y[i] = 0 end
    for i = 0, s.n - 1 do
      if arg.x[i] > 0 then
        out.y[k] = arg.x[i]
        k = k + 1
      end
    end
    out.count[0] = k
  end,
  picture = { size = { n = 8 }, values = { x = { 3, -1, 4, -1, -5, 9, -2, 6 } },
    mark = 2 },
  cases = { { n = 1 }, { n = 2 }, { n = 33 }, { n = 100 }, { n = 256 } },
  targets = {
    { profile = "issued", per = "busiest thread", of_solution = 2.5,
      say = "All threads find their places at once, by a scan of ones and zeros." },
  },
  start_fails = "wrong",
  wrong = { ["one-thread"] = "target",
    ["leaves-gaps"] = "wrong",
    ["one-too-far"] = { "wrong", "out-of-bounds" },
    ["count-of-the-last-lane"] = "wrong" },
  hints = {
    "Give each thread a 1 if its element stays, else a 0. The exclusive running sum of these is its place.",
    "simd_prefix_exclusive_sum(keep) gives the place within the SIMD-group; totals[8] in threadgroup memory give what the SIMD-groups before keep.",
    "if (keep) y[place] = value; and the last thread knows the count: place + keep.",
  },
}
