-- The same ten rounds as in the kernel, in Lua's 64-bit integers.
local function philox(counter, seed)
  local x, y, key = counter, 0, seed
  for _ = 1, 10 do
    local product = x * 0xd256d193
    x, y = (product >> 32) ~ key ~ y, product & 0xffffffff
    key = (key + 0x9e3779b9) & 0xffffffff
  end
  return x, y
end

return {
  about = "uniform random numbers in [0, 1), counter-based (Philox)",
  sizes = { n = 1000000, seed = 42 },
  arguments = function(s, make) return { y = make.out("float", s.n), seed = s.seed, n = s.n } end,
  outputs = { "y" },
  launch = function(s) return { grid = (s.n + 1) // 2, group = 256 } end,
  reference = function(s, arg, out)
    for i = 0, (s.n + 1) // 2 - 1 do
      local x, y = philox(i, s.seed)
      out.y[2 * i] = (x >> 8) * 0x1p-24
      if 2 * i + 1 < s.n then out.y[2 * i + 1] = (y >> 8) * 0x1p-24 end
    end
  end,
  tolerance = 0,
  bytes = function(s) return 4 * s.n end,
  operations = function(s) return 25 * s.n end, -- integer ones
  philox = philox,
  try = { { n = 1, seed = 0 }, { n = 2, seed = 1 }, { n = 3, seed = 42 }, { n = 511, seed = 7 },
    { n = 10007, seed = 0xffffffff } },
}
