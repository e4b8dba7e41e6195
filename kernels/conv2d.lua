return {
  about = "y[r][c] = sum of w[i][j] · x[r + i][c + j]",
  sizes = { rows = 1024, columns = 1024, size = 5 },
  arguments = function(s, make)
    return { x = make.random(s.rows, s.columns),
      w = make.random(s.size, s.size),
      y = make.out("float", s.rows - s.size + 1, s.columns - s.size + 1),
      rows = s.rows, columns = s.columns, size = s.size }
  end,
  outputs = { "y" },
  launch = function(s)
    return { grid = { s.columns - s.size + 1, s.rows - s.size + 1 },
      group = { 32, 8 } }
  end,
  cpu = "conv2d",
  reference = function(s, arg, out, way)
    return cpu.conv2d(arg.x, arg.w, out.y, way)
  end,
  tolerance = 1e-6,
  additions = function(s) return s.size ^ 2 end,
  scale = function(s) return s.size / 3 end,
  bytes = function(s) return 8 * s.rows * s.columns end,
  operations = function(s)
    return 2 * s.size ^ 2 * (s.rows - s.size + 1) * (s.columns - s.size + 1)
  end,
  try = { { rows = 1, columns = 1, size = 1 },
    { rows = 3, columns = 3, size = 3 },
    { rows = 5, columns = 40, size = 5 }, { rows = 67, columns = 33, size = 3 },
    { rows = 31, columns = 129, size = 7 } },
}
