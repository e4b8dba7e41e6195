return {
  title = "When answers differ", part = 4, minutes = 20,
  task = "Make `variance` right for numbers that lie far from 0.",
  kernel = "variance",
  arguments = function(s, make)
    local x = make.random("float", s.rows * s.columns, nil, -1, 1)
    for i = 0, s.rows * s.columns - 1 do x[i] = x[i] + s.around end
    return { x = x, out = make.out("float", s.rows), columns = s.columns }
  end,
  outputs = { "out" },
  launch = function(s) return { grid = s.rows, group = 32 } end,
  reference = function(s, arg, out)
    for r = 0, s.rows - 1 do
      local first, mean, sum = r * s.columns, 0, 0
      for k = first, first + s.columns - 1 do
        mean = mean + arg.x[k] / s.columns
      end
      for k = first, first + s.columns - 1 do
        sum = sum + (arg.x[k] - mean) ^ 2
      end
      out.out[r] = sum / s.columns
    end
  end,
  tolerance = 1e-3,
  cases = { { rows = 1, columns = 1, around = 0 },
    { rows = 2, columns = 3, around = 0 },
    { rows = 3, columns = 50, around = 0 },
    { rows = 2, columns = 1, around = 1000 },
    { rows = 3, columns = 8, around = 1000 },
    { rows = 33, columns = 100, around = 1000 },
    { rows = 5, columns = 64, around = -3000 } },
  targets = {
    { profile = "device_reads", per = "busiest thread", at_most = 130,
      size = { rows = 32, columns = 64, around = 0 },
      say = "Two loops over the row are enough: one for the mean, one for the distances." },
  },
  start_fails = "wrong",
  wrong = { ["negative-is-zero"] = "wrong", ["half-distances"] = "wrong",
    ["one-less"] = "wrong", ["square-of-the-sum"] = "wrong",
    ["mean-again-and-again"] = "target" },
  hints = {
    "Around 1000 the squares are around 1,000,000, and a float has a spacing of 0.06 there. The variance is about 0.3.",
    "Subtract before you square: the distances are small, and so are their squares.",
    "Two loops: the first adds up the row, and mean = sum / columns. The second adds (v - mean) * (v - mean).",
  },
  challenges = {
    { name = "one-look", title = "One look at each",
      task = "The same variance, as exact as before, with one read of each element: the row is too long to keep. Fewer reads.",
      score = { profile = "device_reads", per = "busiest thread",
        size = { rows = 32, columns = 64, around = 0 },
        say = "Subtract the row's first element from all: the squares are small then, and one pass is enough." },
      wrong = "wrong",
      hints = { "Subtract something that is near the mean and known from the start.",
        "The first element will do: add up v - first and its square, and use the textbook's formula on these." } },
    { name = "whole-simdgroup", title = "A SIMD-group for each row",
      task = "`variance` as exact as before, with a SIMD-group for each row of any length. The start lets lane 0 do it all. Fewer instructions of the busiest thread.",
      score = { profile = "issued", per = "busiest thread",
        size = { rows = 8, columns = 128, around = 1000 },
        say = "32 lanes have a 32nd of the row each, and simd_sum adds up what they found." },
      launch = function(s) return { groups = s.rows, group = 32 } end,
      wrong = "wrong",
      hints = { "Lane l takes columns l, l + 32, l + 64 … in both loops.",
        "The mean must be that of the whole row before the second loop begins: simd_sum(sum) / columns." } },
    { name = "lost-digits", title = "What was lost",
      task = "`total`: out[i] is the sum of row i, as near to the true one as double precision would have it. A row begins with a large number, and what the start adds to it is rounded away. Make it right, with as few instructions as you can.",
      score = { profile = "issued",
        size = { rows = 32, columns = 64, around = 0 }, within = 1.1,
        say = "Kahan's sum needs four operations for each element." },
      kernel = "total",
      arguments = function(s, make)
        local x = make.random("float", s.rows * s.columns, nil, 0, 1)
        for r = 0, s.rows - 1 do
          if s.columns > 1 then x[r * s.columns] = 1000000 end
        end
        return { x = x, out = make.out("float", s.rows), columns = s.columns }
      end,
      math = "safe",
      reference = function(s, arg, out)
        for r = 0, s.rows - 1 do
          local sum = 0
          for k = r * s.columns, (r + 1) * s.columns - 1 do
            sum = sum + arg.x[k]
          end
          out.out[r] = sum
        end
      end,
      tolerance = 2e-7,
      cases = { { rows = 1, columns = 1, around = 0 },
        { rows = 2, columns = 3, around = 0 },
        { rows = 3, columns = 300, around = 0 },
        { rows = 5, columns = 997, around = 0 } },
      start_fails = "wrong", wrong = "wrong",
      hints = { "float y = v - lost; float t = sum + y; then (t - sum) - y is what t has lost of y.",
        "Mathematics is safe here, so that the compiler may not cancel it." } },
  },
}
