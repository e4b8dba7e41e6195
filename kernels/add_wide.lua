return {
  like = "add",
  about = "c = a + b, four elements per thread",
  launch = function(s) return { grid = (s.n + 3) // 4, group = 256 } end,
  try = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 4 }, { n = 5 }, { n = 31 },
    { n = 33 }, { n = 1025 }, { n = 4095 }, { n = 10007 } },
}
