return {
  about = "c = a + b, element by element",
  sizes = { n = 1000000 },
  arguments = function(s, make)
    return { a = make.random(s.n), b = make.random(s.n),
      c = make.out("float", s.n), n = s.n }
  end,
  outputs = { "c" },
  launch = function(s) return { grid = s.n, group = 256 } end,
  cpu = "add",
  reference = function(s, arg, out, way)
    return cpu.add(arg.a, arg.b, out.c, way)
  end,
  tolerance = 0,
  bytes = function(s) return 12 * s.n end,
  operations = function(s) return s.n end,
  try = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 31 }, { n = 257 },
    { n = 4095 }, { n = 10007 } },
}
