return {
  like = "layernorm",
  about = "layernorm of each row, which is read once",
  try = { { rows = 1, columns = 1 }, { rows = 3, columns = 2 },
    { rows = 5, columns = 31 }, { rows = 2, columns = 257 },
    { rows = 7, columns = 1023 }, { rows = 3, columns = 4096 },
    { rows = 2, columns = 4097 }, { rows = 2, columns = 10007 } },
}
