return {
  title = "Matrix multiplication", part = 3, minutes = 20,
  task = "Multiply two matrices, tile by tile.",
  kernel = "matmul",
  arguments = function(s, make)
    return { a = make.random(s.n, s.n), b = make.random(s.n, s.n),
      c = make.out("float", s.n, s.n), n = s.n }
  end,
  outputs = { "c" },
  launch = function(s)
    return { groups = { (s.n + 15) // 16, (s.n + 15) // 16 },
      group = { 16, 16 } }
  end,
  reference = function(s, arg, out) cpu.matmul(arg.a, arg.b, out.c) end,
  tolerance = 1e-4,
  picture = { size = { n = 3 } },
  cases = { { n = 1 }, { n = 2 }, { n = 15 }, { n = 16 }, { n = 17 },
    { n = 40 } },
  targets = {
    { profile = "device_reads", per = "busiest thread", at_most = 8,
      size = { n = 64 },
      say = "Each thread fetches one element of each tile; the others come from threadgroup memory." },
  },
  start_fails = "wrong",
  wrong = { ["from-device-memory"] = "target",
    ["one-barrier"] = { "race", "wrong" },
    ["no-zeros-at-the-edge"] = { "uninitialised", "wrong" },
    ["b-transposed"] = "wrong" },
  hints = {
    "For each k = 0, 16, 32 …: thread t fetches a[p.y][k + t.x] into ta[t.y][t.x] and b[k + t.y][p.x] into tb[t.y][t.x].",
    "Outside the matrices put 0: then the inner loop needs no guard. All threads must reach the barriers, so no early return.",
    "Barrier after the fetching, 16 products, barrier before the next tile overwrites this one.",
  },
}
