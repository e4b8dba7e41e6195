return {
  about = "each row of y = exp(row of x), scaled to a sum of 1",
  sizes = { rows = 1024, columns = 1024 },
  arguments = function(s, make)
    return { x = make.random(s.rows, s.columns, -20, 20),
      y = make.out("float", s.rows, s.columns),
      columns = s.columns }
  end,
  outputs = { "y" },
  launch = function(s) return { groups = s.rows, group = 256 } end,
  cpu = "softmax",
  reference = function(s, arg, out, way)
    return cpu.softmax(arg.x, out.y, way)
  end,
  -- fast exp, whose error grows with its argument: here down to -40
  tolerance = 2e-5,
  additions = function(s) return s.columns end,
  scale = 1e-30, -- the error is a part of the answer, however small that is
  bytes = function(s) return 8 * s.rows * s.columns end,
  -- an exp counted as five
  operations = function(s) return 8 * s.rows * s.columns end,
  try = { { rows = 1, columns = 1 }, { rows = 3, columns = 2 },
    { rows = 5, columns = 31 },
    { rows = 2, columns = 257 }, { rows = 7, columns = 1023 } },
}
