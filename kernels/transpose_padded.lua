return {
  like = "transpose_tiled",
  about = "transpose_tiled, with tiles that avoid bank conflicts",
}
