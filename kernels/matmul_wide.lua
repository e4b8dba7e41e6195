return {
  like = "matmul_tiled32",
  about = "c = a · b, simdgroup_matrix, large tiles by float4",
  launch = function(s)
    return { groups = { (s.n + 127) // 128, (s.m + 63) // 64 }, group = 128 }
  end,
  try = { { m = 1, n = 1, k = 1 }, { m = 3, n = 5, k = 2 },
    { m = 16, n = 16, k = 16 }, { m = 127, n = 3, k = 100 },
    { m = 64, n = 128, k = 32 }, { m = 129, n = 130, k = 33 },
    { m = 130, n = 132, k = 36 }, { m = 256, n = 128, k = 64 } },
}
