return {
  title = "Scan", part = 3, minutes = 15,
  task = "Running sums of up to 1024 elements by one group of 256.",
  kernel = "scan",
  arguments = function(s, make)
    return { x = make.whole(s.n), y = make.out("float", s.n), n = s.n }
  end,
  outputs = { "y" },
  launch = function(s) return { groups = 1, group = 256 } end,
  reference = function(s, arg, out)
    local sum = 0
    for i = 0, s.n - 1 do
      sum = sum + arg.x[i]
      out.y[i] = sum
    end
  end,
  tolerance = 1e-5,
  picture = { size = { n = 8 } },
  cases = { { n = 1 }, { n = 3 }, { n = 5 }, { n = 129 }, { n = 256 },
    { n = 1000 }, { n = 1024 } },
  targets = {
    { profile = "issued", per = "busiest thread", of_solution = 2.5,
      say = "Each of the 256 threads adds up four elements; what lies before them comes from the others." },
    { profile = "barriers", per = "simdgroup", at_most = 2,
      say = "Within a SIMD-group no barrier is needed: only the eight totals have to meet." },
  },
  start_fails = "wrong",
  wrong = { ["one-thread"] = "target",
    ["lanes-only"] = "wrong",
    ["own-total-twice"] = "wrong",
    ["rounds-of-barriers"] = "target" },
  hints = {
    "Thread t takes elements 4t to 4t + 3 and makes their running sums for itself; its total is the last one.",
    "simd_prefix_exclusive_sum(total) is what the lanes before have. The last lane leaves the total of its SIMD-group in totals[simd].",
    "After one barrier, add totals[0] to totals[simd - 1], and write the four sums.",
  },
}
