return {
  like = "dot",
  about = "the sum of all elements, sixteen at a time, one launch",
  sizes = { n = 16000000 },
  arguments = function(s, make)
    return { x = make.whole(s.n), total = make.zeros("float", 1), n = s.n }
  end,
  launch = function(s)
    return { groups = math.min(2048, (s.n + 4095) // 4096), group = 256 }
  end,
  cpu = "sum",
  reference = function(s, arg, out, way)
    return cpu.sum(arg.x, out.total, way)
  end,
  bytes = function(s) return 4 * s.n end,
  operations = function(s) return s.n end,
  try = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 4 }, { n = 255 },
    { n = 4097 }, { n = 65537 }, { n = 100003 }, { n = 4194307 } },
}
