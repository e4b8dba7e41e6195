return {
  title = "Reduction in one pass", part = 4, minutes = 15,
  task = "Add up a long list in one launch, with one atomic a group.",
  kernel = "total",
  arguments = function(s, make)
    return { x = make.integers("int", -50, 100, s.n),
      sum = make.zeros("int", 1), n = s.n }
  end,
  outputs = { "sum" },
  launch = function(s)
    return { groups = (s.n + 1023) // 1024, group = 256 }
  end,
  reference = function(s, arg, out)
    local sum = 0
    for i = 0, s.n - 1 do sum = sum + arg.x[i] end
    out.sum[0] = sum
  end,
  picture = { size = { n = 8 }, values = { x = { 3, 1, 4, 1, 5, 9, 2, 6 } } },
  cases = { { n = 1 }, { n = 31 }, { n = 1000 }, { n = 1025 }, { n = 5000 } },
  targets = {
    { profile = "device_writes", per = "group", at_most = 1,
      say = "One group, one atomic: add up within the group first." },
    { profile = "lines", of_solution = 1.1,
      say = "Let neighbouring threads read neighbouring elements: i = g * 1024 + k * 256 + t." },
    { profile = "issued", per = "busiest thread", of_solution = 2.5,
      say = "Every thread adds four elements; simd_sum does the rest." },
  },
  start_fails = "wrong",
  wrong = { ["an-atomic-each"] = "target",
    ["four-in-a-row"] = "target",
    ["first-simdgroup-only"] = "wrong",
    ["no-barrier"] = { "race", "uninitialised", "wrong" } },
  hints = {
    "In round k of four, thread t reads element g * 1024 + k * 256 + t, if there is one.",
    "simd_sum, then eight sums in threadgroup memory, a barrier, and simd_sum again in the first SIMD-group.",
    "One lane: atomic_fetch_add_explicit(sum, mine, memory_order_relaxed);",
  },
}
