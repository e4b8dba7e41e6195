return {
  title = "Atomics: sharing a counter", part = 2, minutes = 15,
  task = "Make `count_bytes` exact, if you can with a histogram per team.",
  kernel = "count_bytes",
  arguments = function(s, make)
    return { data = make.integers("uchar", s.low, s.high, s.n),
      counts = make.zeros("uint", 256), n = s.n }
  end,
  outputs = { "counts" },
  launch = function(s)
    return { groups = (s.n + 1023) // 1024, group = 256 }
  end,
  reference = function(s, arg, out)
    out.counts:fill(0)
    for i = 0, s.n - 1 do
      local v = arg.data[i]
      out.counts[v] = out.counts[v] + 1
    end
  end,
  tolerance = 0,
  cases = { { n = 1, low = 0, high = 255 }, { n = 2, low = 9, high = 9 },
    { n = 3, low = 0, high = 255 }, { n = 255, low = 0, high = 255 },
    { n = 257, low = 7, high = 8 }, { n = 1025, low = 0, high = 255 },
    { n = 3001, low = 200, high = 200 }, { n = 4096, low = 0, high = 255 } },
  targets = {
    { profile = "issued", per = "busiest thread", of_solution = 6,
      size = { n = 4096, low = 0, high = 255 },
      say = "Each thread looks at four of the team's 1024 bytes: one that counts for all needs no atomics, and is slower than all of them." },
  },
  start_fails = { "wrong", "schedule", "race" },
  wrong = { ["not-zeroed"] = { "uninitialised", "wrong" }, ["no-barrier-after-zeroing"] = { "race", "wrong", "uninitialised", "schedule" },
    ["no-barrier-after-counting"] = { "race", "wrong", "schedule" }, ["wrong-bin"] = { "wrong", "out-of-bounds" },
    ["one-thread-counts"] = "target", ["stronger-order"] = "compile" },
  hints = {
    "First make it exact: atomic_fetch_add_explicit(&counts[data[i]], 1u, memory_order_relaxed) in place of load and store.",
    "Then `threadgroup atomic_uint mine[256];`. The team has 256 threads: each sets one counter to 0, then a barrier.",
    "Count into `mine`, another barrier, and thread t adds mine[t] to counts[t].",
  },
  challenges = {
    { name = "four-bytes", title = "Four bytes at a time",
      task = "A thread may read four bytes as one `uchar4`. n is a multiple of 4 here. Fewer reads of device memory.",
      score = { profile = "device_reads", size = { n = 4096, low = 0, high = 255 }, say = "A uchar4 is one read for four bytes." },
      wrong = "wrong",
      cases = { { n = 4, low = 0, high = 255 }, { n = 260, low = 7, high = 9 },
        { n = 4096, low = 0, high = 255 } },
      hints = { "256 threads with four bytes each are the 1024 elements of a group." } },
    { name = "one-for-32", title = "One atomic for 32",
      task = "`count_positive`: count[0] is how many elements of x are greater than 0. The start does an atomic for each; let a SIMD-group agree first. Fewer atomics.",
      score = { profile = "atomics", size = { n = 4096 }, say = "Add up in the SIMD-group, then in the threadgroup: one atomic for each group is enough." },
      wrong = "wrong",
      kernel = "count_positive",
      arguments = function(s, make)
        return { x = make.random(s.n), count = make.zeros("uint", 1), n = s.n }
      end,
      outputs = { "count" },
      launch = function(s)
        return { groups = (s.n + 255) // 256, group = 256 }
      end,
      reference = function(s, arg, out)
        local count = 0
        for i = 0, s.n - 1 do if arg.x[i] > 0 then count = count + 1 end end
        out.count[0] = count
      end,
      cases = { { n = 1 }, { n = 33 }, { n = 1000 } },
      hints = { "simd_sum of ones and zeros, and one lane adds.", "Better still: eight SIMD-groups meet in threadgroup memory, and one thread of 256 adds." } },
  },
}
