return {
  about = "a = b + s · c, four elements per thread",
  sizes = { n = 16000000 },
  arguments = function(s, make)
    return { a = make.out("float", s.n), b = make.random(s.n),
      c = make.random(s.n), s = 3, n = s.n }
  end,
  outputs = { "a" },
  launch = function(s) return { grid = (s.n + 3) // 4, group = 256 } end,
  cpu = "saxpy",
  reference = function(s, arg, out, way)
    return cpu.saxpy(arg.s, arg.c, arg.b, out.a, way)
  end,
  tolerance = 1e-6,
  bytes = function(s) return 12 * s.n end,
  operations = function(s) return 2 * s.n end,
  try = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 5 }, { n = 127 }, { n = 1025 },
    { n = 10007 } },
}
