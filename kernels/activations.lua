return {
  about = "sigmoid (which = 0), tanh (1), gelu (2) and silu (3)",
  sizes = { n = 1000000, which = 2 },
  arguments = function(s, make)
    return { x = make.random(s.n, nil, -8, 8), y = make.out("float", s.n),
      which = s.which, n = s.n }
  end,
  outputs = { "y" },
  launch = function(s) return { grid = s.n, group = 256 } end,
  cpu = "activations",
  reference = function(s, arg, out, way)
    return cpu.activations(arg.x, out.y, { way = way, which = s.which })
  end,
  tolerance = 1e-5,
  bytes = function(s) return 8 * s.n end,
  operations = function(s) return 10 * s.n end, -- an exp counted as five
  try = { { n = 1, which = 0 }, { n = 33, which = 0 }, { n = 257, which = 1 },
    { n = 1023, which = 2 },
    { n = 4099, which = 3 } },
}
