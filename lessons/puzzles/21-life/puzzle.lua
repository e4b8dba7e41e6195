return {
  title = "The game of Life", part = 4, minutes = 20,
  task = "One generation of Life on a torus, fetching each cell about once.",
  kernel = "life",
  arguments = function(s, make)
    return { now = make.integers("uchar", 0, 2, s.r, s.c),
      next = make.out("uchar", s.r, s.c), rows = s.r, columns = s.c }
  end,
  outputs = { "next" },
  launch = function(s)
    return { groups = { (s.c + 7) // 8, (s.r + 7) // 8 }, group = { 8, 8 } }
  end,
  reference = function(s, arg, out)
    for r = 0, s.r - 1 do
      for c = 0, s.c - 1 do
        local alive = 0
        for j = -1, 1 do
          for k = -1, 1 do
            if j ~= 0 or k ~= 0 then
              alive = alive + arg.now[(r + j) % s.r * s.c + (c + k) % s.c]
            end
          end
        end
        out.next[r * s.c + c] = (alive == 3 or alive == 2
          and arg.now[r * s.c + c] == 1) and 1 or 0
      end
    end
  end,
  picture = { size = { r = 5, c = 6 },
    values = { now = { 0, 1, 0, 0, 0, 0,
      0, 0, 1, 0, 0, 0,
      1, 1, 1, 0, 0, 0,
      0, 0, 0, 0, 0, 0,
      0, 0, 0, 0, 0, 0 } }, mark = 14 },
  cases = { { r = 3, c = 3 }, { r = 5, c = 6 }, { r = 8, c = 8 },
    { r = 9, c = 17 }, { r = 20, c = 15 } },
  targets = {
    { profile = "device_reads", per = "busiest thread", at_most = 2,
      size = { r = 64, c = 64 },
      say = "A group needs 10 × 10 cells: 64 threads fetch them in two rounds." },
  },
  start_fails = "wrong",
  wrong = { ["nine-reads"] = "target",
    ["counts-itself"] = "wrong",
    ["walls-at-the-edge"] = "wrong",
    ["no-barrier"] = { "race", "uninitialised", "wrong" } },
  hints = {
    "Fetch 10 × 10 cells into threadgroup memory as for a convolution; (r + rows - 1) % rows is the row above, around the edge.",
    "Add the nine cells of the tile and take away the middle one.",
    "next = alive == 3 || (alive == 2 && self == 1);",
  },
}
