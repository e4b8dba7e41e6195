local philox = require("kernels.random_uniform").philox

return {
  about = "normal random numbers, mean 0 and deviation 1 (Philox)",
  sizes = { n = 1000000, seed = 42 },
  arguments = function(s, make) return { y = make.out("float", s.n), seed = s.seed, n = s.n } end,
  outputs = { "y" },
  launch = function(s) return { grid = (s.n + 1) // 2, group = 256 } end,
  reference = function(s, arg, out)
    for i = 0, (s.n + 1) // 2 - 1 do
      local x, y = philox(i, s.seed)
      local radius = math.sqrt(-2 * math.log(((x >> 8) + 1) * 0x1p-24))
      local angle = (y >> 8) * 0x1p-24 * 2 * math.pi
      out.y[2 * i] = radius * math.cos(angle)
      if 2 * i + 1 < s.n then out.y[2 * i + 1] = radius * math.sin(angle) end
    end
  end,
  tolerance = 2e-5,
  bytes = function(s) return 4 * s.n end,
  operations = function(s) return 40 * s.n end,
  try = { { n = 1, seed = 0 }, { n = 2, seed = 1 }, { n = 3, seed = 42 }, { n = 511, seed = 7 },
    { n = 10007, seed = 12345 } },
}
