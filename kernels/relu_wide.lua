return {
  like = "relu",
  about = "y = x where x is positive, else 0, four per thread",
  launch = function(s) return { grid = (s.n + 3) // 4, group = 256 } end,
  try = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 4 }, { n = 5 }, { n = 33 },
    { n = 1025 }, { n = 10007 } },
}
