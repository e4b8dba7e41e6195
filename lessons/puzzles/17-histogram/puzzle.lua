return {
  title = "Histogram", part = 4, minutes = 15,
  task = "Count bytes into 16 bins, each group in threadgroup memory first.",
  kernel = "histogram",
  arguments = function(s, make)
    return { x = make.integers("uchar", 0, 256, s.n),
      bins = make.zeros("uint", 16), n = s.n }
  end,
  outputs = { "bins" },
  launch = function(s) return { groups = (s.n + 255) // 256, group = 256 } end,
  reference = function(s, arg, out)
    for b = 0, 15 do out.bins[b] = 0 end
    for i = 0, s.n - 1 do
      local b = arg.x[i] // 16
      out.bins[b] = out.bins[b] + 1
    end
  end,
  picture = { size = { n = 8 },
    values = { x = { 17, 20, 31, 32, 64, 18, 65, 0 } }, mark = 1 },
  cases = { { n = 1 }, { n = 2 }, { n = 255 }, { n = 257 }, { n = 2000 } },
  targets = {
    { profile = "device_writes", per = "group", at_most = 16,
      say = "Count in threadgroup memory, and add each of the 16 counts once." },
    { profile = "issued", per = "busiest thread", of_solution = 3,
      say = "All 256 threads count, and 16 of them add." },
  },
  start_fails = "wrong",
  wrong = { ["straight-to-device"] = "target",
    ["not-zeroed"] = { "uninitialised", "wrong" },
    ["plain-counters"] = { "race", "wrong" },
    ["one-thread-counts"] = "target" },
  hints = {
    "threadgroup atomic_uint mine[16]; holds anything at first: 16 threads set it to 0, then a barrier.",
    "Each thread adds 1 to mine[x[i] / 16] by atomic_fetch_add_explicit(&…, 1, memory_order_relaxed), if i < n. Then another barrier, which all reach.",
    "Threads 0 to 15 read one count each, by atomic_load_explicit, and add it to bins[t].",
  },
}
