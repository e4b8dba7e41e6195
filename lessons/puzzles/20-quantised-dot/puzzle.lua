return {
  title = "Quantised dot product", part = 4, minutes = 20,
  task = "Dot products of rows of 8-bit numbers with a scale for every 32.",
  kernel = "dot8",
  arguments = function(s, make)
    return { a = make.integers("char", -127, 128, s.rows * s.blocks * 32),
      scale = make.random(s.rows * s.blocks),
      x = make.integers("char", -127, 128, s.blocks * 32),
      y = make.out("float", s.rows), blocks = s.blocks }
  end,
  outputs = { "y" },
  launch = function(s) return { groups = s.rows, group = 32 } end,
  reference = function(s, arg, out)
    for r = 0, s.rows - 1 do
      local sum = 0
      for b = 0, s.blocks - 1 do
        local dot = 0
        for k = 0, 31 do
          dot = dot + arg.a[(r * s.blocks + b) * 32 + k] * arg.x[b * 32 + k]
        end
        sum = sum + dot * arg.scale[r * s.blocks + b]
      end
      out.y[r] = sum
    end
  end,
  tolerance = 1e-3,
  picture = { size = { rows = 1, blocks = 1 }, values = { scale = { 0.5 },
    a = { 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3,
      2, 3, 8, 4, 6, 2, 6, 4, 3, 3, 8, 3, 2, 7, 9, 5 },
    x = { 1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0,
      1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 1 } }, mark = 0 },
  cases = { { rows = 1, blocks = 1 }, { rows = 2, blocks = 3 },
    { rows = 3, blocks = 4 }, { rows = 5, blocks = 17 } },
  targets = {
    { profile = "issued", per = "busiest thread", of_solution = 2,
      say = "The 32 lanes share a row, four numbers at a time." },
    { profile = "lines", of_solution = 1.2,
      say = "Neighbouring lanes should read neighbouring char4." },
  },
  start_fails = "wrong",
  wrong = { ["products-in-chars"] = "wrong",
    ["one-scale-for-the-row"] = { "wrong", "out-of-bounds" },
    ["one-lane"] = "target" },
  hints = {
    "A row has blocks * 8 char4. Lane l takes numbers l, l + 32, l + 64 …",
    "int4(a[…]) * int4(x[k]) multiplies four pairs without overflow; char4 k belongs to block k / 8.",
    "sum += scale[row * blocks + k / 8] * (p.x + p.y + p.z + p.w); then simd_sum.",
  },
}
