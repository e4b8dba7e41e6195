return {
  about = "one generation of Conway's game of life on a torus",
  sizes = { rows = 512, columns = 512 },
  arguments = function(s, make)
    return { cells = make.integers("uchar", 0, 2, s.rows, s.columns),
      next = make.out("uchar", s.rows, s.columns),
      rows = s.rows, columns = s.columns }
  end,
  outputs = { "next" },
  launch = function(s)
    return { grid = { s.columns, s.rows }, group = { 32, 8 } }
  end,
  cpu = "life",
  reference = function(s, arg, out, way)
    return cpu.life(arg.cells, out.next, way)
  end,
  tolerance = 0,
  bytes = function(s) return 2 * s.rows * s.columns end,
  operations = function(s) return 10 * s.rows * s.columns end, -- integer ones
  try = { { rows = 1, columns = 1 }, { rows = 2, columns = 3 },
    { rows = 3, columns = 65 },
    { rows = 31, columns = 33 }, { rows = 67, columns = 129 } },
}
