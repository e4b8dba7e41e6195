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
  cases = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 33 }, { n = 63 }, { n = 64 }, { n = 65 }, { n = 997 } },
  targets = {
    { profile = "device_reads", per = "busiest thread", at_most = 2, size = { n = 1024 },
      say = "Each thread should fetch its own element and find the others on the table." },
  },
  start_fails = "target",
  wrong = { ["no-barrier"] = { "race", "uninitialised", "wrong" }, ["always-64"] = { "uninitialised", "wrong" },
    ["no-guard"] = "out-of-bounds", ["one-fetches-nobody-waits"] = { "race", "uninitialised", "wrong" },
    ["one-fetches-for-all"] = "target", ["one-does-it-all"] = "target", ["atomic-float-on-the-table"] = "compile" },
  hints = {
    "Declare `threadgroup float table[64];` and let thread t put x[i] on table[t], if there is such an element.",
    "Then a threadgroup_barrier(mem_flags::mem_threadgroup), which all threads must reach: the `return` for i >= n comes after it.",
    "After the barrier: the same loop as before, but over table[k], k < count; and table[t] instead of x[i].",
  },
}
