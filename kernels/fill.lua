return {
  about = "every element of y becomes v",
  sizes = { n = 4000000 },
  arguments = function(s, make)
    return { y = make.out("float", s.n), v = 1.5, n = s.n }
  end,
  outputs = { "y" },
  launch = function(s) return { grid = s.n, group = 256 } end,
  cpu = "fill",
  reference = function(s, arg, out, way) return cpu.fill(arg.v, out.y, way) end,
  tolerance = 0,
  bytes = function(s) return 4 * s.n end,
  operations = function() return 0 end,
  try = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 63 }, { n = 257 },
    { n = 10007 } },
}
