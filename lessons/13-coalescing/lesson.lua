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
  cases = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 8 }, { n = 9 }, { n = 257 }, { n = 512 }, { n = 1023 }, { n = 8191 } },
  targets = {
    { profile = "lines", at_most = 563, size = { n = 8192 },
      say = "8192 floats read and 8192 written are 512 lines; at each step, the lanes of a SIMD-group should touch neighbouring elements." },
    { profile = "device_writes", per = "busiest thread", at_most = 16, size = { n = 8192 },
      say = "There is a thread for every 8 elements: deal them out to all threads." },
  },
  start_fails = "target",
  wrong = { ["no-guard"] = "out-of-bounds", ["stride-of-the-group"] = { "wrong", "coverage", "race" },
    ["overlapping"] = { "wrong", "coverage", "race" }, ["mixed-up"] = { "wrong", "coverage", "race" },
    ["one-thread-for-all"] = "target", ["one-lane-of-each"] = "target", ["one-simdgroup-for-all"] = "target" },
  hints = {
    "In step k = 0, thread i should take element i. So the first step covers as many elements as there are threads.",
    "Where does step k = 1 begin? After all that step 0 has covered.",
    "`uint j = i + k * threads;` - and keep the guard.",
  },
}
