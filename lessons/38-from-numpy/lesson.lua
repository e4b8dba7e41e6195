return {
  title = "From NumPy to kernels", part = 6, minutes = 20,
  task = "Write the kernel beneath `x / x.sum(axis=1, keepdims=True)`, a SIMD-group for each row.",
  kernel = "shares",
  arguments = function(s, make)
    return { x = make.random(s.rows, s.columns, 0.5, 2),
      y = make.out("float", s.rows, s.columns), columns = s.columns }
  end,
  outputs = { "y" },
  launch = function(s) return { groups = s.rows, group = 32 } end,
  reference = function(s, arg, out)
    for row = 0, s.rows - 1 do
      local sum = 0
      for c = 0, s.columns - 1 do sum = sum + arg.x[row * s.columns + c] end
      for c = 0, s.columns - 1 do
        out.y[row * s.columns + c] = arg.x[row * s.columns + c] / sum
      end
    end
  end,
  tolerance = 1e-5,
  cases = { { rows = 1, columns = 1 }, { rows = 1, columns = 2 },
    { rows = 2, columns = 3 }, { rows = 3, columns = 31 },
    { rows = 2, columns = 32 }, { rows = 3, columns = 33 },
    { rows = 7, columns = 100 }, { rows = 5, columns = 257 } },
  targets = {
    { profile = "device_reads", per = "busiest thread", at_most = 32,
      size = { rows = 8, columns = 256 },
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
  challenges = {
    { name = "read-once", title = "Read once",
      task = "NumPy reads x twice: for the sum and for the quotient. Rows have at most 256 columns here, eight for a lane: keep them. Fewer reads of device memory.",
      score = { profile = "device_reads", size = { rows = 4, columns = 256 }, say = "Keep the eight numbers of a lane in variables: what was read once need not be read again." },
      wrong = "wrong",
      cases = { { rows = 1, columns = 1 }, { rows = 2, columns = 33 },
        { rows = 7, columns = 100 }, { rows = 5, columns = 256 } },
      hints = { "float v[8]; 0 where there is no column." } },
    { name = "column-shares", title = "The other axis",
      task = "`x / x.sum(axis=0)`: each column is divided by its own sum. A group of 32 × 8 threads has 32 columns. In the start only the first row of threads adds; let all eight share the rows. Fewer instructions for the busiest thread.",
      score = { profile = "issued", per = "busiest thread",
        size = { rows = 128, columns = 64 },
        say = "All eight rows of threads add a part of the rows; then eight numbers are left for each column." },
      wrong = "wrong",
      arguments = function(s, make)
        return { x = make.random(s.rows, s.columns, 0.5, 2),
          y = make.out("float", s.rows, s.columns), rows = s.rows,
          columns = s.columns }
      end,
      launch = function(s)
        return { groups = (s.columns + 31) // 32, group = { 32, 8 } }
      end,
      reference = function(s, arg, out)
        for c = 0, s.columns - 1 do
          local sum = 0
          for r = 0, s.rows - 1 do sum = sum + arg.x[r * s.columns + c] end
          for r = 0, s.rows - 1 do
            out.y[r * s.columns + c] = arg.x[r * s.columns + c] / sum
          end
        end
      end,
      cases = { { rows = 1, columns = 1 }, { rows = 9, columns = 33 },
        { rows = 70, columns = 64 } },
      hints = { "Thread (x, y) adds rows y, y + 8, y + 16 … of its column; eight sums for each column meet in threadgroup memory.", "One division for all rows: multiply by 1 / sum." } },
  },
}
