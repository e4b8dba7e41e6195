return {
  title = "Memory comes in lines: coalescing", part = 2, minutes = 15,
  task = "Deal the elements of `squares` out like cards, so that neighbouring threads read neighbours.",
  kernel = "squares",
  arguments = function(s, make)
    return { x = make.random(s.n), y = make.out("float", s.n), n = s.n }
  end,
  outputs = { "y" },
  launch = function(s) return { grid = (s.n + 7) // 8, group = 64 } end,
  reference = function(s, arg, out) cpu.mul(arg.x, arg.x, out.y) end,
  tolerance = 1e-6,
  cases = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 8 }, { n = 9 }, { n = 257 },
    { n = 512 }, { n = 1023 }, { n = 8191 } },
  targets = {
    { profile = "lines", at_most = 563, size = { n = 8192 },
      say = "8192 floats read and 8192 written are 512 lines; at each step, the lanes of a SIMD-group should touch neighbouring elements." },
    { profile = "device_writes", per = "busiest thread", at_most = 16,
      size = { n = 8192 },
      say = "There is a thread for every 8 elements: deal them out to all threads." },
  },
  start_fails = "target",
  wrong = { ["no-guard"] = "out-of-bounds",
    ["stride-of-the-group"] = { "wrong", "coverage", "race" },
    ["overlapping"] = { "wrong", "coverage", "race" },
    ["mixed-up"] = { "wrong", "coverage", "race" },
    ["one-thread-for-all"] = "target", ["one-lane-of-each"] = "target",
    ["one-simdgroup-for-all"] = "target" },
  hints = {
    "In step k = 0, thread i should take element i. So the first step covers as many elements as there are threads.",
    "Where does step k = 1 begin? After all that step 0 has covered.",
    "`uint j = i + k * threads;` - and keep the guard.",
  },
  challenges = {
    { name = "vectors", title = "Cards of four",
      task = "Deal out four elements at a time: n is a multiple of 4 here, and each thread still has eight. As few lines as before, and fewer instructions.",
      score = { profile = "issued", size = { n = 8192 }, say = "As float4, four neighbours are one read, one multiplication and one write." },
      wrong = "out-of-bounds",
      targets = { { profile = "lines", at_most = 512, size = { n = 8192 }, say = "Neighbouring threads should still read neighbours." } },
      cases = { { n = 4 }, { n = 8 }, { n = 260 }, { n = 8192 } },
      hints = { "As float4 there are n / 4 elements, and each thread has two of them." } },
    { name = "row-sums", title = "Sums of rows",
      task = "`row_sums`: y[r] is the sum of row r of a matrix, with a SIMD-group for each row. In the start each lane has a stretch of the row for itself: move fewer lines of memory.",
      score = { profile = "lines", size = { rows = 16, columns = 512 }, say = "The 32 lanes should read 32 neighbours of the row at each step." },
      wrong = "race",
      kernel = "row_sums",
      arguments = function(s, make)
        return { x = make.random(s.rows, s.columns),
          y = make.out("float", s.rows), columns = s.columns }
      end,
      launch = function(s) return { groups = s.rows, group = 32 } end,
      reference = function(s, arg, out)
        for r = 0, s.rows - 1 do
          local sum = 0
          for c = 0, s.columns - 1 do sum = sum + arg.x[r * s.columns + c] end
          out.y[r] = sum
        end
      end,
      tolerance = 1e-4,
      cases = { { rows = 1, columns = 1 }, { rows = 3, columns = 33 },
        { rows = 5, columns = 300 } },
      hints = { "Lane l takes columns l, l + 32, l + 64 …" } },
  },
}
