return {
  title = "Dot product", part = 2, minutes = 10,
  task = "Multiply two lists and add everything up, with one group.",
  kernel = "dot_product",
  arguments = function(s, make)
    return { a = make.whole(s.n), b = make.whole(s.n),
      out = make.out("float", 1), n = s.n }
  end,
  outputs = { "out" },
  launch = function(s) return { groups = 1, group = 256 } end,
  reference = function(s, arg, out)
    local sum = 0
    for i = 0, s.n - 1 do sum = sum + arg.a[i] * arg.b[i] end
    out.out[0] = sum
  end,
  tolerance = 1e-5,
  picture = { size = { n = 6 } },
  cases = { { n = 1 }, { n = 2 }, { n = 33 }, { n = 256 }, { n = 257 },
    { n = 1000 } },
  targets = {
    { profile = "issued", per = "busiest thread", of_solution = 3,
      say = "Every thread takes its share, and so does the adding at the end." },
    { profile = "barriers", per = "simdgroup", at_most = 2,
      say = "simd_sum needs no barrier: only the eight sums have to meet." },
  },
  start_fails = "wrong",
  wrong = { ["one-thread"] = "target",
    ["one-simdgroup-only"] = "wrong",
    ["no-barrier"] = { "race", "uninitialised", "wrong" },
    ["tree-of-barriers"] = "target" },
  hints = {
    "for (uint i = t; i < n; i += 256) lets 256 threads share any n.",
    "simd_sum(sum) gives every lane the sum over its SIMD-group. Lane 0 of each puts it into part[simd].",
    "After one barrier, the first SIMD-group adds the eight: simd_sum(lane < 8 ? part[lane] : 0).",
  },
}
