return {
  about = "the sum of all elements, every thread adding to one place",
  sizes = { n = 1000000 },
  arguments = function(s, make)
    return { x = make.whole(s.n), total = make.zeros("float", 1), n = s.n }
  end,
  outputs = { "total" },
  launch = function(s) return { grid = s.n, group = 256 } end,
  cpu = "sum",
  reference = function(s, arg, out, way)
    return cpu.sum(arg.x, out.total, way)
  end,
  tolerance = 0, -- whole numbers: nothing is rounded
  bytes = function(s) return 4 * s.n end,
  operations = function(s) return s.n end,
  try = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 31 }, { n = 257 },
    { n = 10007 } },
}
