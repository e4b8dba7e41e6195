return {
  title = "Pooling", part = 2, minutes = 10,
  task = "Take the largest of the last three elements, fetching each once.",
  kernel = "pool",
  arguments = function(s, make)
    return { x = make.random(s.n, nil, -1, 0.2), y = make.out("float", s.n),
      n = s.n }
  end,
  outputs = { "y" },
  launch = function(s) return { groups = (s.n + 63) // 64, group = 64 } end,
  reference = function(s, arg, out)
    for i = 0, s.n - 1 do
      local best = arg.x[i]
      for k = math.max(0, i - 2), i - 1 do best = math.max(best, arg.x[k]) end
      out.y[i] = best
    end
  end,
  picture = { size = { n = 10 },
    values = { x = { 3, 1, 4, 1, 5, 9, 2, 6, 5, 3 } }, mark = 7 },
  cases = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 64 }, { n = 65 }, { n = 66 },
    { n = 300 } },
  targets = {
    { profile = "device_reads", per = "busiest thread", at_most = 2,
      say = "Each thread fetches its own element, and two of them one more: the rest is in threadgroup memory." },
  },
  start_fails = "wrong",
  wrong = { ["three-reads"] = "target",
    ["no-barrier"] = { "race", "uninitialised", "wrong" },
    ["forgets-the-group-before"] = "wrong",
    ["zeros-before-the-start"] = "wrong" },
  hints = {
    "Elements i - 2 and i - 1 of the first two threads belong to the group before. Who fetches them?",
    "Use part[66]: thread t puts x[i] into part[t + 2], and threads 0 and 1 put x[i - 2] into part[t]; -INFINITY where there is none.",
    "After a barrier: y[i] = max(part[t], max(part[t + 1], part[t + 2]));",
  },
}
