return {
  title = "Convolution in two dimensions", part = 2, minutes = 15,
  task = "Slide nine weights over an image, fetching each pixel about once.",
  kernel = "convolve",
  arguments = function(s, make)
    return { x = make.random(s.rows, s.columns), w = make.random(9),
      y = make.out("float", s.rows, s.columns), rows = s.rows,
      columns = s.columns }
  end,
  outputs = { "y" },
  launch = function(s)
    return { groups = { (s.columns + 7) // 8, (s.rows + 7) // 8 },
      group = { 8, 8 } }
  end,
  reference = function(s, arg, out)
    for r = 0, s.rows - 1 do
      for c = 0, s.columns - 1 do
        local sum = 0
        for j = 0, 2 do
          for k = 0, 2 do
            local y, x = r + j - 1, c + k - 1
            if y >= 0 and y < s.rows and x >= 0 and x < s.columns then
              sum = sum + arg.x[y * s.columns + x] * arg.w[j * 3 + k]
            end
          end
        end
        out.y[r * s.columns + c] = sum
      end
    end
  end,
  tolerance = 1e-5,
  picture = { size = { rows = 4, columns = 6 },
    values = { w = { 1, 2, 1, 2, 4, 2, 1, 2, 1 },
      x = { 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8,
        9, 7, 9, 3, 2, 3, 8, 4, 6, 2, 6, 4 } }, mark = 8 },
  cases = { { rows = 1, columns = 1 }, { rows = 2, columns = 3 },
    { rows = 8, columns = 8 }, { rows = 9, columns = 17 },
    { rows = 20, columns = 15 } },
  targets = {
    { profile = "device_reads", per = "busiest thread", at_most = 2,
      size = { rows = 64, columns = 64 },
      say = "Fetch the 10 × 10 pixels that the group needs once, together: 64 threads take two rounds." },
  },
  start_fails = "wrong",
  wrong = { ["nine-reads"] = "target",
    ["wraps-at-the-edge"] = "wrong",
    ["no-barrier"] = { "race", "uninitialised", "wrong" } },
  hints = {
    "Number the 100 pixels of the tile; thread m = t.y * 8 + t.x fetches pixels m and m + 64, if there is one.",
    "Pixel i of the tile is row g.y * 8 + i / 10 - 1, column g.x * 8 + i % 10 - 1. Outside the image it is 0: use int, for it may be -1.",
    "After a barrier the neighbourhood of thread t is tile[t.y + j][t.x + k], j and k from 0 to 2.",
  },
}
