return {
  like = "histogram",
  about = "how often each byte occurs, sixteen bytes at a time",
  launch = function(s)
    return { groups = math.min(512, (s.n + 4095) // 4096), group = 256 }
  end,
  try = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 15 }, { n = 16 }, { n = 17 },
    { n = 255 }, { n = 4097 }, { n = 40009 }, { n = 2100003 } },
}
