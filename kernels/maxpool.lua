return {
  about = "the largest of each square of size × size",
  sizes = { rows = 2048, columns = 2048, size = 2 },
  arguments = function(s, make)
    return { x = make.random(s.rows, s.columns),
      y = make.out("float", s.rows // s.size, s.columns // s.size),
      rows = s.rows, columns = s.columns, size = s.size }
  end,
  outputs = { "y" },
  launch = function(s)
    return { grid = { s.columns // s.size, s.rows // s.size },
      group = { 32, 8 } }
  end,
  cpu = "maxpool",
  reference = function(s, arg, out, way)
    return cpu.maxpool(arg.x, out.y, { way = way, size = s.size })
  end,
  tolerance = 0,
  bytes = function(s)
    return 4 * (s.rows * s.columns + (s.rows // s.size) * (s.columns // s.size))
  end,
  operations = function(s) return s.rows * s.columns end,
  try = { { rows = 2, columns = 2, size = 2 },
    { rows = 3, columns = 3, size = 1 },
    { rows = 7, columns = 65, size = 2 }, { rows = 31, columns = 33, size = 3 },
    { rows = 129, columns = 67, size = 5 } },
}
