return {
  about = "uniform random numbers in [0, 1), counter-based (Philox)",
  sizes = { n = 1000000, seed = 42 },
  arguments = function(s, make)
    return { y = make.out("float", s.n), seed = s.seed, n = s.n }
  end,
  outputs = { "y" },
  launch = function(s) return { grid = (s.n + 1) // 2, group = 256 } end,
  cpu = "random_uniform",
  reference = function(s, arg, out, way)
    return cpu.random_uniform(out.y, { way = way, seed = s.seed })
  end,
  tolerance = 0,
  bytes = function(s) return 4 * s.n end,
  operations = function(s) return 25 * s.n end, -- integer ones
  try = { { n = 1, seed = 0 }, { n = 2, seed = 1 }, { n = 3, seed = 42 },
    { n = 511, seed = 7 },
    { n = 10007, seed = 0xffffffff } },
}
