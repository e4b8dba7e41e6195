return {
  about = "rows and columns exchanged, by tiles in threadgroup memory",
  sizes = { rows = 2048, columns = 2048 },
  macros = { TILE = 16 },
  arguments = function(s, make)
    return { a = make.random(s.rows, s.columns),
      b = make.out("float", s.columns, s.rows),
      rows = s.rows, columns = s.columns }
  end,
  outputs = { "b" },
  launch = function(s)
    return { groups = { (s.columns + s.TILE - 1) // s.TILE,
      (s.rows + s.TILE - 1) // s.TILE },
      group = { s.TILE, s.TILE } }
  end,
  fixed_group = true,
  cpu = "transpose",
  reference = function(s, arg, out, way)
    return cpu.transpose(arg.a, out.b, way)
  end,
  tolerance = 0,
  bytes = function(s) return 8 * s.rows * s.columns end,
  operations = function() return 0 end,
  try = { { rows = 1, columns = 1 }, { rows = 1, columns = 33 },
    { rows = 17, columns = 1 },
    { rows = 16, columns = 16 }, { rows = 15, columns = 31 },
    { rows = 67, columns = 129 },
    { rows = 67, columns = 129, TILE = 32 } },
}
