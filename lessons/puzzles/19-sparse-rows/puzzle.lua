return {
  title = "Sparse rows", part = 4, minutes = 20,
  task = "Multiply a sparse matrix by a vector, one SIMD-group for each row.",
  kernel = "spmv",
  arguments = function(s, make)
    local first, n = { 0 }, 0
    for r = 1, s.rows do
      n = n + (r * 7 * s.long) % (s.long + 1) // 1
      first[r + 1] = n
    end
    return { first = gpu.buffer("uint", first),
      column = make.integers("uint", 0, s.columns, math.max(n, 1)),
      value = make.whole(math.max(n, 1)), x = make.whole(s.columns),
      y = make.out("float", s.rows) }
  end,
  outputs = { "y" },
  launch = function(s) return { groups = s.rows, group = 32 } end,
  reference = function(s, arg, out)
    for r = 0, s.rows - 1 do
      local sum = 0
      for e = arg.first[r], arg.first[r + 1] - 1 do
        sum = sum + arg.value[e] * arg.x[arg.column[e]]
      end
      out.y[r] = sum
    end
  end,
  tolerance = 1e-5,
  picture = { size = { rows = 3, columns = 4, long = 3 },
    values = { first = { 0, 2, 2, 5 }, column = { 0, 3, 1, 2, 3 },
      value = { 5, 1, 2, 3, 4 }, x = { 1, 2, 3, 4 } }, mark = 0 },
  cases = { { rows = 1, columns = 1, long = 1 },
    { rows = 3, columns = 4, long = 3 }, { rows = 10, columns = 50, long = 33 },
    { rows = 20, columns = 300, long = 200 } },
  targets = {
    { profile = "issued", per = "busiest thread", of_solution = 2,
      say = "The 32 lanes share the entries of a row." },
    { profile = "lines", of_solution = 1.2,
      say = "Lane l takes entries first + l, first + l + 32 …: then neighbours read neighbours." },
  },
  start_fails = "wrong",
  wrong = { ["one-lane"] = "target",
    ["ignores-the-columns"] = { "wrong", "out-of-bounds" },
    ["long-rows-cut"] = "wrong",
    ["a-chunk-each"] = "target" },
  hints = {
    "The row has first[row + 1] - first[row] entries; lane l begins with entry first[row] + l and goes on in steps of 32.",
    "sum += value[e] * x[column[e]]; a row without entries gives 0.",
    "simd_sum(sum), and lane 0 writes y[row].",
  },
}
