return {
  title = "Transpose: moving without computing", part = 3, minutes = 20,
  task = "Make `transpose` go through a tile, with coalesced reads and writes and no bank conflicts.",
  kernel = "transpose",
  arguments = function(s, make)
    return { a = make.random(s.rows, s.columns),
      b = make.out("float", s.columns, s.rows), rows = s.rows,
      columns = s.columns }
  end,
  outputs = { "b" },
  launch = function(s)
    return { groups = { (s.columns + 31) // 32, (s.rows + 31) // 32 },
      group = { 32, 8 } }
  end,
  reference = function(s, arg, out) cpu.transpose(arg.a, out.b) end,
  tolerance = 0,
  cases = { { rows = 1, columns = 1 }, { rows = 1, columns = 3 },
    { rows = 3, columns = 2 }, { rows = 31, columns = 5 },
    { rows = 32, columns = 32 }, { rows = 33, columns = 31 },
    { rows = 7, columns = 67 }, { rows = 97, columns = 65 } },
  targets = {
    { profile = "lines", at_most = 1075, size = { rows = 128, columns = 128 },
      say = "128 × 128 floats read and written are 1024 lines: both should run along rows." },
    { profile = "banks", of_solution = 1.05,
      size = { rows = 128, columns = 128 },
      say = "The lanes of a SIMD-group should ask 32 different banks." },
    { profile = "device_writes", per = "busiest thread", at_most = 8,
      size = { rows = 128, columns = 128 },
      say = "A tile of 32 × 32 is four elements for each of the 256 threads." },
  },
  start_fails = "target",
  wrong = { ["no-padding"] = "target",
    ["no-barrier"] = { "race", "uninitialised", "wrong" },
    ["guard-of-a"] = { "wrong", "out-of-bounds", "coverage", "uninitialised" },
    ["tile-not-turned"] = { "wrong", "uninitialised" },
    ["one-thread-for-the-tile"] = "target" },
  hints = {
    "Declare `threadgroup float tile[32][33];` and first only fill it: thread (local.x, r) puts a[y][x] into tile[r][local.x].",
    "After a barrier, walk along the rows of b: x = group.y * 32 + local.x and y = group.x * 32 + r. The guard is now x < rows and y < columns.",
    "The element to write there is tile[local.x][r]: picked up by columns. The 33rd column is what keeps the banks apart.",
  },
  challenges = {
    { name = "no-padding", title = "Without padding",
      task = "A padded tile costs 128 bytes. Here at most 4096 bytes of threadgroup memory are allowed, 32 × 32 floats: place the elements so that neither a row nor a column of the tile lies in one bank. Fewer bank passes.",
      score = { profile = "banks", size = { rows = 128, columns = 128 }, say = "Shift each row of the tile by its own number, by r ^ x for instance: then a column is in 32 banks." },
      wrong = "wrong",
      targets = { { profile = "threadgroup_bytes", at_most = 4096,
        size = { rows = 128, columns = 128 },
        say = "A tile of 32 × 32 floats has 4096 bytes: without padding." } },
      hints = { "Element (r, c) may lie in any column of row r, if you find it again: c ^ r, for example." } },
    { name = "halfs", title = "Half the bytes",
      task = "The matrix is of `half` now, and the tile should be too. Fewer bytes of threadgroup memory, and no bank conflicts: at most 1.1 times the ideal passes.",
      score = { profile = "threadgroup_bytes", size = { rows = 128, columns = 128 }, say = "A half has two bytes, so a tile of halfs has half the bytes; a bank is four bytes wide." },
      wrong = "wrong",
      arguments = function(s, make)
        return { a = make.random("half", s.rows, s.columns),
          b = make.out("half", s.columns, s.rows), rows = s.rows,
          columns = s.columns }
      end,
      reference = function(s, arg, out)
        for r = 0, s.rows - 1 do
          for c = 0, s.columns - 1 do
            out.b[c * s.rows + r] = arg.a[r * s.columns + c]
          end
        end
      end,
      targets = { { profile = "banks_over_ideal", at_most = 1.1,
        size = { rows = 128, columns = 128 },
        say = "The lanes should still ask different banks." } },
      hints = { "A bank has four bytes, so two halfs share one. A row should be an odd number of banks long." } },
  },
}
