return {
  about = "y[i] = sum of w[j] · x[i + j]",
  sizes = { n = 1000000, k = 31 },
  most = { k = 256 }, -- MOST in the kernel
  arguments = function(s, make)
    return { x = make.random(s.n), w = make.random(s.k),
      y = make.out("float", s.n - s.k + 1), n = s.n, k = s.k }
  end,
  outputs = { "y" },
  launch = function(s)
    return { groups = (s.n - s.k + 256) // 256, group = 256 }
  end,
  fixed_group = true,
  cpu = "conv1d",
  reference = function(s, arg, out, way)
    return cpu.conv1d(arg.x, arg.w, out.y, way)
  end,
  tolerance = 1e-6,
  additions = function(s) return s.k end,
  scale = function(s) return math.sqrt(s.k) / 3 end,
  bytes = function(s) return 4 * (s.n + s.k + s.n - s.k + 1) end,
  operations = function(s) return 2 * s.k * (s.n - s.k + 1) end,
  try = { { n = 1, k = 1 }, { n = 3, k = 3 }, { n = 5, k = 2 },
    { n = 257, k = 31 }, { n = 256, k = 256 },
    { n = 1000, k = 255 }, { n = 10007, k = 7 } },
}
