return {
  like = "add",
  about = "c = a + b, sixteen elements per thread",
  launch = function(s)
    return { groups = (s.n + 4095) // 4096, group = 256 }
  end,
  try = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 5 }, { n = 31 }, { n = 257 },
    { n = 4095 }, { n = 4096 }, { n = 4097 }, { n = 100003 } },
}
