return {
  about = "y = x where x is positive, else 0",
  sizes = { n = 1000000 },
  arguments = function(s, make)
    return { x = make.random(s.n), y = make.out("float", s.n), n = s.n }
  end,
  outputs = { "y" },
  launch = function(s) return { grid = s.n, group = 256 } end,
  cpu = "relu",
  reference = function(s, arg, out, way) return cpu.relu(arg.x, out.y, way) end,
  tolerance = 0,
  bytes = function(s) return 8 * s.n end,
  operations = function(s) return s.n end,
  try = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 33 }, { n = 255 },
    { n = 10007 } },
}
