return {
  about = "the sum of x · y, element by element",
  sizes = { n = 4000000 },
  arguments = function(s, make)
    return { x = make.whole(s.n), y = make.whole(s.n),
      total = make.zeros("float", 1), n = s.n }
  end,
  outputs = { "total" },
  launch = function(s)
    return { groups = math.min(256, (s.n + 255) // 256), group = 256 }
  end,
  cpu = "dot",
  reference = function(s, arg, out, way)
    return cpu.dot(arg.x, arg.y, out.total, way)
  end,
  tolerance = 0, -- whole numbers: nothing is rounded
  bytes = function(s) return 8 * s.n end,
  operations = function(s) return 2 * s.n end,
  try = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 31 }, { n = 257 },
    { n = 65537 }, { n = 100003 } },
}
