return {
  about = "y = x",
  sizes = { n = 4000000 },
  arguments = function(s, make)
    return { x = make.random(s.n), y = make.out("float", s.n), n = s.n }
  end,
  outputs = { "y" },
  launch = function(s) return { grid = s.n, group = 256 } end,
  cpu = "copy",
  reference = function(s, arg, out, way) return cpu.copy(arg.x, out.y, way) end,
  tolerance = 0,
  bytes = function(s) return 8 * s.n end,
  operations = function() return 0 end,
  try = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 65 }, { n = 255 },
    { n = 10007 } },
}
