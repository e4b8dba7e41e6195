return {
  like = "matmul_tiled32",
  about = "c = a · b, with simdgroup_matrix",
  launch = function(s)
    return { groups = { (s.n + 63) // 64, (s.m + 63) // 64 }, group = 128 }
  end,
}
