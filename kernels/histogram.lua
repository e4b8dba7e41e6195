return {
  about = "how often each of the 256 values of a byte occurs",
  sizes = { n = 4000000 },
  arguments = function(s, make)
    return { x = make.integers("uchar", 0, 256, s.n),
      bins = make.zeros("uint", 256), n = s.n }
  end,
  outputs = { "bins" },
  launch = function(s)
    return { groups = math.min(128, (s.n + 255) // 256), group = 256 }
  end,
  cpu = "histogram",
  reference = function(s, arg, out, way)
    return cpu.histogram(arg.x, out.bins, way)
  end,
  tolerance = 0,
  bytes = function(s) return s.n end,
  operations = function(s) return s.n end,
  try = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 255 }, { n = 257 },
    { n = 40009 } },
}
