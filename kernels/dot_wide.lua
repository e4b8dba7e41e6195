return {
  like = "dot",
  about = "the sum of x · y, sixteen elements at a time",
  launch = function(s)
    return { groups = math.min(2048, (s.n + 2047) // 2048), group = 256 }
  end,
  try = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 4 }, { n = 31 }, { n = 4097 },
    { n = 65537 }, { n = 100003 }, { n = 4194307 } },
}
