return {
  about = "z = k · x + y, element by element",
  sizes = { n = 1000000 },
  arguments = function(s, make)
    return { k = 2.5, x = make.random(s.n), y = make.random(s.n),
      z = make.out("float", s.n), n = s.n }
  end,
  outputs = { "z" },
  launch = function(s) return { grid = s.n, group = 256 } end,
  cpu = "saxpy",
  reference = function(s, arg, out, way)
    return cpu.saxpy(arg.k, arg.x, arg.y, out.z, way)
  end,
  tolerance = 1e-6, -- one rounding or two: fused or not
  bytes = function(s) return 12 * s.n end,
  operations = function(s) return 2 * s.n end,
  try = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 31 }, { n = 257 },
    { n = 10007 } },
}
