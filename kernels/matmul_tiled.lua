return {
  about = "c = a · b, by tiles in threadgroup memory (TILE = 16)",
  sizes = { m = 1024, n = 1024, k = 1024 },
  macros = { TILE = 16 },
  arguments = function(s, make)
    return { a = make.random(s.m, s.k), b = make.random(s.k, s.n),
      c = make.out("float", s.m, s.n),
      m = s.m, n = s.n, k = s.k }
  end,
  outputs = { "c" },
  launch = function(s)
    return { groups = { (s.n + s.TILE - 1) // s.TILE,
      (s.m + s.TILE - 1) // s.TILE }, group = { s.TILE, s.TILE } }
  end,
  fixed_group = true,
  cpu = "matmul",
  reference = function(s, arg, out, way)
    return cpu.matmul(arg.a, arg.b, out.c, way)
  end,
  tolerance = 1e-6,
  additions = function(s) return s.k end,
  -- of products of numbers in -1 to 1
  scale = function(s) return math.sqrt(s.k) / 3 end,
  bytes = function(s) return 4 * (s.m * s.k + s.k * s.n + s.m * s.n) end,
  operations = function(s) return 2 * s.m * s.n * s.k end,
  try = { { m = 1, n = 1, k = 1 }, { m = 3, n = 5, k = 2 },
    { m = 16, n = 16, k = 16 },
    { m = 17, n = 31, k = 33 }, { m = 64, n = 65, k = 63 },
    { m = 1, n = 130, k = 7 },
    { m = 127, n = 3, k = 100 }, { m = 70, n = 33, k = 50, TILE = 8 },
    { m = 70, n = 33, k = 50, TILE = 32 } },
}
