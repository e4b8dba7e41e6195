return {
  about = "rows with mean 0 and variance 1, then · gamma + beta",
  sizes = { rows = 1024, columns = 1024 },
  arguments = function(s, make)
    return { x = make.random(s.rows, s.columns, -3, 5),
      gamma = make.random(s.columns), beta = make.random(s.columns),
      y = make.out("float", s.rows, s.columns), columns = s.columns,
      epsilon = 1e-5 }
  end,
  outputs = { "y" },
  launch = function(s) return { groups = s.rows, group = 256 } end,
  cpu = "layernorm",
  reference = function(s, arg, out, way)
    return cpu.layernorm(arg.x, arg.gamma, arg.beta, out.y,
      { way = way, epsilon = arg.epsilon })
  end,
  -- The error of a mean, some 1e-6, is divided by the row's deviation. A short
  -- row may have a small one: w is the width that the closest of a billion
  -- have, and epsilon keeps it from 0.
  tolerance = function(s)
    local w = s.columns > 1 and 8 * (s.columns / 1e9) ^ (1 / (s.columns - 1))
      or 8
    return 1e-5 + 2e-6 / math.max(w / 4, math.sqrt(1e-5))
  end,
  additions = function(s) return s.columns end,
  bytes = function(s) return 8 * s.rows * s.columns end,
  operations = function(s) return 8 * s.rows * s.columns end,
  try = { { rows = 1, columns = 1 }, { rows = 3, columns = 2 },
    { rows = 5, columns = 31 },
    { rows = 2, columns = 257 }, { rows = 7, columns = 1023 } },
}
