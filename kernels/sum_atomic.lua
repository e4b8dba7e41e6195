return {
  about = "the sum of all elements, every thread adding to one place",
  sizes = { n = 1000000 },
  arguments = function(s, make)
    return { x = make.random(s.n, nil, 0, 1), total = make.zeros("float", 1), n = s.n }
  end,
  outputs = { "total" },
  launch = function(s) return { grid = s.n, group = 256 } end,
  cpu = "sum",
  reference = function(s, arg, out, way) return cpu.sum(arg.x, out.total, way) end,
  tolerance = 1e-3, -- a million additions to one float round a million times
  bytes = function(s) return 4 * s.n end,
  operations = function(s) return s.n end,
  try = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 31 }, { n = 257 }, { n = 10007 } },
}
