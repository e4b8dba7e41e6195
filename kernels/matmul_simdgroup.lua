return {
  like = "matmul_tiled32",
  about = "c = a · b, with simdgroup_matrix",
  launch = function(s)
    return { groups = { (s.n + 31) // 32, (s.m + 31) // 32 }, group = 128 }
  end,
}
