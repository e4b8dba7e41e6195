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
      for k = first, first + s.columns - 1 do mean = mean + arg.x[k] / s.columns end
      for k = first, first + s.columns - 1 do sum = sum + (arg.x[k] - mean) ^ 2 end
      out.out[r] = sum / s.columns
    end
  end,
  tolerance = 1e-3,
  cases = { { rows = 1, columns = 1, around = 0 }, { rows = 2, columns = 3, around = 0 }, { rows = 3, columns = 50, around = 0 },
    { rows = 2, columns = 1, around = 1000 }, { rows = 3, columns = 8, around = 1000 }, { rows = 33, columns = 100, around = 1000 },
    { rows = 5, columns = 64, around = -3000 } },
  targets = {
    { profile = "device_reads", per = "busiest thread", at_most = 130, size = { rows = 32, columns = 64, around = 0 },
      say = "Two loops over the row are enough: one for the mean, one for the distances." },
  },
  start_fails = "wrong",
  wrong = { ["negative-is-zero"] = "wrong", ["half-distances"] = "wrong", ["one-less"] = "wrong", ["square-of-the-sum"] = "wrong",
    ["mean-again-and-again"] = "target" },
  hints = {
    "Around 1000 the squares are around 1,000,000, and a float has a spacing of 0.06 there. The variance is about 0.3.",
    "Subtract before you square: the distances are small, and so are their squares.",
    "Two loops: the first adds up the row, and mean = sum / columns. The second adds (v - mean) * (v - mean).",
  },
  challenges = {
    { name = "one-look", title = "One look at each",
      task = "The same variance, as exact as before, with one read of each element: the row is too long to keep. Fewer reads.",
      score = { profile = "device_reads", per = "busiest thread", size = { rows = 32, columns = 64, around = 0 } },
      hints = { "Subtract something that is near the mean and known from the start.",
        "The first element will do: add up v - first and its square, and use the textbook's formula on these." } },
  },
}
