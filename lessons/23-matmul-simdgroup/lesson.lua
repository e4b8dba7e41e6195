return {
  title = "SIMD-group matrices: 8 × 8 at once", part = 3, minutes = 15,
  task = "Write `matmul` with simdgroup matrices.",
  kernel = "matmul",
  arguments = function(s, make)
    return { a = make.random(s.m, s.k), b = make.random(s.k, s.n),
      c = make.out("float", s.m, s.n), m = s.m, n = s.n, k = s.k }
  end,
  outputs = { "c" },
  launch = function(s)
    return { groups = { s.n // 8, s.m // 8 }, group = 32 }
  end,
  reference = function(s, arg, out) cpu.matmul(arg.a, arg.b, out.c) end,
  tolerance = 2e-5,
  cases = { { m = 8, n = 8, k = 8 }, { m = 8, n = 8, k = 16 },
    { m = 8, n = 24, k = 8 }, { m = 16, n = 8, k = 40 },
    { m = 24, n = 16, k = 56 }, { m = 40, n = 48, k = 64 } },
  targets = {
    { profile = "issued", per = "simdgroup", at_most = 400,
      size = { m = 64, n = 64, k = 64 },
      say = "Let simdgroup_multiply_accumulate do the multiplying: at most 400 instructions per SIMD-group." },
    { profile = "issued", per = "busiest thread", of_solution = 4,
      size = { m = 64, n = 64, k = 64 },
      say = "Each SIMD-group makes one piece of 8 × 8: none works for another." },
  },
  start_fails = "wrong",
  wrong = { ["stride-of-b"] = { "wrong", "out-of-bounds" },
    ["group-turned"] = { "wrong", "out-of-bounds" },
    ["not-zeroed"] = { "wrong", "uninitialised" },
    ["number-by-number"] = "target", ["one-group-for-all"] = "target" },
  hints = {
    "One loop, for (uint i = 0; i < k; i += 8): two loads and a multiplication in it, between the zeros and the store.",
    "In each step `left` is the piece of a at (row, i), `right` the piece of b at (i, column): pointers a + row * k + i and b + i * n + column.",
    "simdgroup_load(left, a + row * k + i, k); the same for right, with stride n; then simdgroup_multiply_accumulate(sum, left, right, sum);",
  },
  challenges = {
    { name = "sixteen", title = "A tile of 16 by 16",
      task = "One SIMD-group now makes 16 × 16 results, with four matrices; all sizes are multiples of 16. Each matrix that is loaded serves two products. Fewer reads of device memory.",
      score = { profile = "device_reads", size = { m = 32, n = 32, k = 32 }, say = "Two pieces of a and two of b make four products: each piece that is loaded serves two." },
      wrong = "wrong",
      launch = function(s)
        return { groups = { s.n // 16, s.m // 16 }, group = 32 }
      end,
      cases = { { m = 16, n = 16, k = 16 }, { m = 16, n = 32, k = 48 },
        { m = 48, n = 32, k = 64 } },
      hints = { "Two matrices of a and two of b make four products: load four, multiply four times." } },
    { name = "transposed", title = "A transposed matrix",
      task = "b is stored transposed now, n rows of k. The start turns each 8 × 8 block round in threadgroup memory; simdgroup_load can do that on its own. Fewer bytes of threadgroup memory.",
      score = { profile = "threadgroup_bytes", size = { m = 16, n = 16, k = 16 }, say = "simdgroup_load has a last argument that transposes what it loads." },
      wrong = "wrong",
      arguments = function(s, make)
        return { a = make.random(s.m, s.k), b = make.random(s.n, s.k),
          c = make.out("float", s.m, s.n), m = s.m, n = s.n, k = s.k }
      end,
      reference = function(s, arg, out)
        for r = 0, s.m - 1 do
          for c = 0, s.n - 1 do
            local sum = 0
            for i = 0, s.k - 1 do
              sum = sum + arg.a[r * s.k + i] * arg.b[c * s.k + i]
            end
            out.c[r * s.n + c] = sum
          end
        end
      end,
      cases = { { m = 8, n = 8, k = 8 }, { m = 8, n = 16, k = 24 },
        { m = 24, n = 16, k = 32 } },
      hints = { "simdgroup_load has two more parameters: where the matrix begins, ulong2(0), and whether to transpose it." } },
  },
}
