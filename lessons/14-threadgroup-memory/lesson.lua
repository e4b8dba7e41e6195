return {
  title = "Threadgroup memory: a table for the team", part = 2, minutes = 15,
  task = "Let each team of `centre` fetch its elements once, into threadgroup memory.",
  kernel = "centre",
  arguments = function(s, make)
    return { x = make.random(s.n), y = make.out("float", s.n), n = s.n }
  end,
  outputs = { "y" },
  launch = function(s) return { groups = (s.n + 63) // 64, group = 64 } end,
  reference = function(s, arg, out)
    for first = 0, s.n - 1, 64 do
      local count = math.min(64, s.n - first)
      local mean = arg.x:view(first, count):sum() / count
      for i = first, first + count - 1 do out.y[i] = arg.x[i] - mean end
    end
  end,
  tolerance = 1e-5,
  cases = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 33 }, { n = 63 }, { n = 64 },
    { n = 65 }, { n = 997 } },
  targets = {
    { profile = "device_reads", per = "busiest thread", at_most = 2,
      size = { n = 1024 },
      say = "Each thread should fetch its own element and find the others on the table." },
  },
  start_fails = "target",
  wrong = { ["no-barrier"] = { "race", "uninitialised", "wrong" },
    ["always-64"] = { "uninitialised", "wrong" },
    ["no-guard"] = "out-of-bounds",
    ["one-fetches-nobody-waits"] = { "race", "uninitialised", "wrong" },
    ["one-fetches-for-all"] = "target", ["one-does-it-all"] = "target",
    ["atomic-float-on-the-table"] = "compile" },
  hints = {
    "Declare `threadgroup float table[64];` and let thread t put x[i] on table[t], if there is such an element.",
    "Then a threadgroup_barrier(mem_flags::mem_threadgroup), which all threads must reach: the `return` for i >= n comes after it.",
    "After the barrier: the same loop as before, but over table[k], k < count; and table[t] instead of x[i].",
  },
  challenges = {
    { name = "two-numbers", title = "A table for two numbers",
      task = "What must the two SIMD-groups of a team tell each other? With simd_sum the table needs no more than two floats. Fewer bytes of threadgroup memory.",
      score = { profile = "threadgroup_bytes", size = { n = 1024 }, say = "Only the sum of each SIMD-group must be known to the other one: two floats." },
      wrong = "race",
      hints = { "simd_sum adds over the 32 lanes of a SIMD-group.", "The table holds one sum for each of the two SIMD-groups." } },
    { name = "fewer-instructions", title = "No loop",
      task = "The same kernel, for the fewest instructions of the busiest thread: 64 additions are too many.",
      score = { profile = "issued", per = "busiest thread", size = { n = 1024 }, say = "simd_sum adds 32 numbers at once; what is missing is the sum of the other SIMD-group." },
      wrong = "wrong",
      hints = { "After simd_sum a lane knows the sum of its own SIMD-group: it needs only the other one." } },
  },
}
