return {
  title = "Softmax", part = 4, minutes = 15,
  task = "Softmax of each row, safe for large numbers, by one SIMD-group a row.",
  kernel = "softmax",
  arguments = function(s, make)
    return { x = make.random(s.rows, s.columns, -5, 100),
      y = make.out("float", s.rows, s.columns), columns = s.columns }
  end,
  outputs = { "y" },
  launch = function(s) return { groups = s.rows, group = 32 } end,
  reference = function(s, arg, out)
    for r = 0, s.rows - 1 do
      local row, most, sum =
        arg.x:reshape(#arg.x):view(r * s.columns, s.columns), -math.huge, 0
      for c = 0, s.columns - 1 do most = math.max(most, row[c]) end
      for c = 0, s.columns - 1 do sum = sum + math.exp(row[c] - most) end
      for c = 0, s.columns - 1 do
        out.y[r * s.columns + c] = math.exp(row[c] - most) / sum
      end
    end
  end,
  tolerance = 1e-4,
  picture = { size = { rows = 2, columns = 6 },
    values = { x = { 1, 2, 3, 2, 1, 0, 7, 7, 7, 7, 7, 7 } }, mark = 2 },
  cases = { { rows = 1, columns = 1 }, { rows = 2, columns = 3 },
    { rows = 3, columns = 32 }, { rows = 4, columns = 33 },
    { rows = 5, columns = 256 } },
  targets = {
    { profile = "device_reads", per = "busiest thread", at_most = 8,
      say = "256 columns for 32 threads are eight each: keep them, and do not read them again." },
    { profile = "lines", of_solution = 1.1,
      say = "Neighbouring lanes should read neighbouring columns." },
  },
  start_fails = "wrong",
  wrong = { ["without-the-largest"] = "wrong",
    ["three-passes"] = "target",
    ["sum-of-one-lane"] = "wrong" },
  hints = {
    "Lane l has columns l, l + 32, l + 64 …: put them into float mine[8], -INFINITY where there is none.",
    "simd_max gives the largest over the lanes, simd_sum the sum. exp(-INFINITY) is 0, so missing columns add nothing.",
    "mine[k] = exp(mine[k] - most), add them up, simd_sum, and write mine[k] / sum.",
  },
}
