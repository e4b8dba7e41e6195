return {
  like = "sum_tree",
  about = "the sum of all elements, with simd_sum",
}
