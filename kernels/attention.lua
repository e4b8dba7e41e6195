local D = 64 -- as in the kernel

return {
  about = "softmax(q · k transposed / 8) · v, 64 columns, in one pass",
  sizes = { rows = 1024, keys = 1024 },
  arguments = function(s, make)
    return { q = make.random(s.rows, D), k = make.random(s.keys, D),
      v = make.random(s.keys, D),
      out = make.out("float", s.rows, D), rows = s.rows, keys = s.keys }
  end,
  outputs = { "out" },
  launch = function(s) return { grid = s.rows, group = 64 } end,
  cpu = "attention",
  reference = function(s, arg, out, way)
    return cpu.attention(arg.q, arg.k, arg.v, out.out, way)
  end,
  tolerance = 1e-5, -- of the scores, and of exp
  additions = function(s) return s.keys end,
  -- a mean of so many numbers in -1 to 1
  scale = function(s) return 0.6 / math.sqrt(s.keys) end,
  bytes = function(s) return 4 * D * (2 * s.rows + 2 * s.keys) end,
  operations = function(s) return s.rows * s.keys * (4 * D + 12) end,
  try = { { rows = 1, keys = 1 }, { rows = 3, keys = 2 },
    { rows = 33, keys = 31 }, { rows = 65, keys = 129 } },
}
