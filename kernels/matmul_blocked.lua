return {
  like = "matmul_tiled32",
  about = "c = a · b, 4 × 4 elements per thread in registers",
  launch = function(s)
    return { groups = { (s.n + 63) // 64, (s.m + 63) // 64 },
      group = { 16, 16 } }
  end,
}
