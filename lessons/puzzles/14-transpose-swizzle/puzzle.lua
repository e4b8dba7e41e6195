return {
  title = "Transposition by swizzle", part = 4, minutes = 15,
  task = "Transpose through a tile without bank conflicts and without padding.",
  kernel = "transpose",
  arguments = function(s, make)
    return { a = make.random(s.n, s.n), b = make.out("float", s.n, s.n),
      n = s.n }
  end,
  outputs = { "b" },
  launch = function(s)
    return { groups = { s.n // 32, s.n // 32 }, group = { 32, 8 } }
  end,
  reference = function(s, arg, out) cpu.transpose(arg.a, out.b) end,
  picture = { size = { n = 4 }, mark = 7 },
  cases = { { n = 32 }, { n = 64 }, { n = 96 } },
  targets = {
    { profile = "lines", at_most = 256, size = { n = 64 },
      say = "64 × 64 floats read and written are 256 lines: both sides should run along rows." },
    { profile = "banks_over_ideal", at_most = 1.05, size = { n = 64 },
      say = "The 32 lanes of a SIMD-group should ask 32 different banks." },
    { profile = "threadgroup_bytes", at_most = 4096, size = { n = 64 },
      say = "Without padding: a tile of 32 × 32 floats has 4096 bytes." },
  },
  start_fails = "target",
  wrong = { ["padded"] = "target",
    ["no-tile"] = "target",
    ["swizzled-once"] = "wrong",
    ["no-barrier"] = { "race", "uninitialised", "wrong" } },
  hints = {
    "profile{…} on the start shows 32 bank passes where 1 would do. The columns c of row r and c of row r + 1 must lie in different banks.",
    "c ^ r is a different column for every row, and each row still has all 32: nothing is overwritten.",
    "Write tile[r][t.x ^ r], read tile[t.x][r ^ t.x].",
  },
}
