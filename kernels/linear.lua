return {
  about = "y = relu(x · w + b), a layer of a neural network",
  sizes = { rows = 256, inputs = 1024, outputs = 1024 },
  arguments = function(s, make)
    return { x = make.random(s.rows, s.inputs),
      w = make.random(s.inputs, s.outputs), b = make.random(s.outputs),
      y = make.out("float", s.rows, s.outputs), rows = s.rows,
      inputs = s.inputs, outputs = s.outputs }
  end,
  outputs = { "y" },
  launch = function(s)
    return { grid = { s.outputs, s.rows }, group = { 32, 8 } }
  end,
  cpu = "linear",
  reference = function(s, arg, out, way)
    return cpu.linear(arg.x, arg.w, arg.b, out.y, way)
  end,
  tolerance = 1e-6,
  additions = function(s) return s.inputs + 1 end,
  scale = function(s) return math.sqrt(s.inputs / 9 + 1 / 3) end,
  bytes = function(s)
    return 4 * (s.rows * s.inputs + s.inputs * s.outputs + s.outputs
      + s.rows * s.outputs)
  end,
  operations = function(s) return s.rows * s.outputs * (2 * s.inputs + 2) end,
  try = { { rows = 1, inputs = 1, outputs = 1 },
    { rows = 3, inputs = 2, outputs = 5 },
    { rows = 17, inputs = 65, outputs = 33 },
    { rows = 1, inputs = 100, outputs = 129 } },
}
