return {
  about = "normal random numbers, mean 0 and deviation 1 (Philox)",
  sizes = { n = 1000000, seed = 42 },
  arguments = function(s, make)
    return { y = make.out("float", s.n), seed = s.seed, n = s.n }
  end,
  outputs = { "y" },
  launch = function(s) return { grid = (s.n + 1) // 2, group = 256 } end,
  cpu = "random_normal",
  reference = function(s, arg, out, way)
    return cpu.random_normal(out.y, { way = way, seed = s.seed })
  end,
  tolerance = 2e-5,
  bytes = function(s) return 4 * s.n end,
  operations = function(s) return 40 * s.n end,
  try = { { n = 1, seed = 0 }, { n = 2, seed = 1 }, { n = 3, seed = 42 },
    { n = 511, seed = 7 },
    { n = 10007, seed = 12345 } },
}
