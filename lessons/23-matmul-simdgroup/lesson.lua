return {
  title = "SIMD-group matrices: 8 × 8 at once", part = 3, minutes = 15,
  task = "Write `matmul` with simdgroup matrices.",
  kernel = "matmul",
  arguments = function(s, make)
    return { a = make.random(s.m, s.k), b = make.random(s.k, s.n), c = make.out("float", s.m, s.n),
      m = s.m, n = s.n, k = s.k }
  end,
  outputs = { "c" },
  launch = function(s) return { groups = { s.n // 8, s.m // 8 }, group = 32 } end,
  reference = function(s, arg, out) cpu.matmul(arg.a, arg.b, out.c) end,
  tolerance = 2e-5,
  cases = { { m = 8, n = 8, k = 8 }, { m = 8, n = 8, k = 16 }, { m = 8, n = 24, k = 8 }, { m = 16, n = 8, k = 40 },
    { m = 24, n = 16, k = 56 }, { m = 40, n = 48, k = 64 } },
  targets = {
    { profile = "issued", per = "simdgroup", at_most = 400, size = { m = 64, n = 64, k = 64 },
      say = "let simdgroup_multiply_accumulate do the multiplying: at most 400 instructions per SIMD-group" },
    { profile = "issued", per = "busiest thread", of_solution = 4, size = { m = 64, n = 64, k = 64 },
      say = "Each SIMD-group makes one piece of 8 × 8: none works for another." },
  },
  start_fails = "wrong",
  wrong = { ["stride-of-b"] = { "wrong", "out-of-bounds" }, ["group-turned"] = { "wrong", "out-of-bounds" },
    ["not-zeroed"] = { "wrong", "uninitialised" }, ["number-by-number"] = "target",
    ["one-group-for-all"] = "target" },
  hints = {
    "One loop, for (uint i = 0; i < k; i += 8): two loads and a multiplication in it, between the zeros and the store.",
    "In each step `left` is the piece of a at (row, i), `right` the piece of b at (i, column): pointers a + row * k + i and b + i * n + column.",
    "simdgroup_load(left, a + row * k + i, k); the same for right, with stride n; then simdgroup_multiply_accumulate(sum, left, right, sum);",
  },
}
