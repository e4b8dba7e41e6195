return {
  title = "Matrix multiplication: from naive to tiled", part = 3, minutes = 20,
  task = "Make `matmul` work by tiles of 16 x 16 in threadgroup memory.",
  kernel = "matmul",
  arguments = function(s, make)
    return { a = make.random(s.m, s.k), b = make.random(s.k, s.n),
      c = make.out("float", s.m, s.n), m = s.m, n = s.n, k = s.k }
  end,
  outputs = { "c" },
  launch = function(s)
    return { groups = { (s.n + 15) // 16, (s.m + 15) // 16 },
      group = { 16, 16 } }
  end,
  reference = function(s, arg, out) cpu.matmul(arg.a, arg.b, out.c) end,
  tolerance = 2e-5,
  cases = { { m = 1, n = 1, k = 1 }, { m = 1, n = 2, k = 3 },
    { m = 3, n = 5, k = 2 }, { m = 16, n = 16, k = 16 },
    { m = 17, n = 15, k = 16 }, { m = 15, n = 33, k = 31 },
    { m = 37, n = 41, k = 67 } },
  targets = {
    { profile = "device_reads", per = "thread", at_most = 9,
      size = { m = 64, n = 64, k = 64 },
      say = "In each step of 16 along k, a thread should fetch one element of a and one of b." },
    { profile = "device_reads", per = "busiest thread", at_most = 16,
      size = { m = 64, n = 64, k = 64 },
      say = "All 256 threads fetch the tiles together: one element of a and one of b in each step." },
  },
  start_fails = "target",
  wrong = { ["one-barrier"] = "race",
    ["no-zeros"] = { "out-of-bounds", "wrong" }, ["tile-turned"] = "wrong",
    ["early-return"] = { "divergent-barrier", "uninitialised", "wrong" },
    ["one-fetches-the-tiles"] = "target" },
  hints = {
    "The loop over k goes in steps of 16. In each step a thread fetches a[row][first + local.x] and b[first + local.y][column].",
    "Fetch 0 where row >= m, column >= n or the place along k is past k. No thread returns early; only the last write is guarded.",
    "After a barrier: `for (uint t = 0; t < 16; t++) sum += tile_a[local.y][t] * tile_b[t][local.x];` and then a second barrier before the next step overwrites the tiles.",
  },
  challenges = {
    { name = "four-rows", title = "Four results a thread",
      task = "Groups of 16 × 4 threads now make a tile of 16 × 16 results, four rows each. What is read from tile_b serves all four. Fewer reads of threadgroup memory.",
      score = { profile = "group_reads", size = { m = 64, n = 64, k = 64 }, say = "Read tile_b once into a variable, and use it for all four rows." },
      wrong = "wrong",
      launch = function(s)
        return { groups = { (s.n + 15) // 16, (s.m + 15) // 16 },
          group = { 16, 4 } }
      end,
      hints = { "Turn the two inner loops round: for each t, read tile_b[t][local.x] once, then go through the four rows." } },
    { name = "longer-tiles", title = "Half the barriers",
      task = "Tiles need not be square: go through k in steps of 32. Fewer barriers.",
      score = { profile = "barriers", per = "simdgroup", size = { m = 64, n = 64, k = 64 }, say = "Tiles of 16 × 32 and 32 × 16 hold twice as much, so there are half as many rounds." },
      wrong = "race",
      hints = { "tile_a[16][32] and tile_b[32][16]: each thread fetches two elements of each." } },
  },
}
