return {
  title = "From NumPy to kernels", part = 5, minutes = 20,
  task = "Write the kernel beneath `x / x.sum(axis=1, keepdims=True)`, a SIMD-group for each row.",
  kernel = "shares",
  arguments = function(s, make)
    return { x = make.random(s.rows, s.columns, 0.5, 2), y = make.out("float", s.rows, s.columns), columns = s.columns }
  end,
  outputs = { "y" },
  launch = function(s) return { groups = s.rows, group = 32 } end,
  reference = function(s, arg, out)
    for row = 0, s.rows - 1 do
      local sum = 0
      for c = 0, s.columns - 1 do sum = sum + arg.x[row * s.columns + c] end
      for c = 0, s.columns - 1 do out.y[row * s.columns + c] = arg.x[row * s.columns + c] / sum end
    end
  end,
  tolerance = 1e-5,
  cases = { { rows = 1, columns = 1 }, { rows = 1, columns = 2 }, { rows = 2, columns = 3 }, { rows = 3, columns = 31 },
    { rows = 2, columns = 32 }, { rows = 3, columns = 33 }, { rows = 7, columns = 100 }, { rows = 5, columns = 257 } },
  targets = {
    { profile = "device_reads", per = "busiest thread", at_most = 32, size = { rows = 8, columns = 256 },
      say = "A row of 256 is 8 elements for each of the 32 lanes, read once to add and once to divide: share it, and join the sums with simd_sum." },
  },
  start_fails = { "wrong", "out-of-bounds" },
  wrong = {
    ["no-simd-sum"] = "wrong",
    ["guard-but-no-loop"] = "wrong",
    ["down-the-columns"] = { "wrong", "out-of-bounds" },
    ["row-forgotten"] = "wrong",
    ["loop-of-columns"] = { "wrong", "out-of-bounds", "race" },
    ["one-lane-for-the-row"] = "target",
    ["every-lane-adds-it-all"] = "target",
  },
  hints = {
    "A row may be longer than 32, so each lane takes several columns: lane, lane + 32, lane + 64 …",
    "The same loop stands there twice: once to add up, once to divide. Between them, simd_sum joins the 32 sums.",
    "for (uint c = lane; c < columns; c += 32) sum += x[row * columns + c];",
    "After the first loop: sum = simd_sum(sum); then the same loop with y[row * columns + c] = x[row * columns + c] / sum;",
  },
}
