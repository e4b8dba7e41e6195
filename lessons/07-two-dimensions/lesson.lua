return {
  title = "Two dimensions", part = 1, minutes = 15,
  task = "Make `mirror` write every row of an image from right to left, for any width and height.",
  kernel = "mirror",
  arguments = function(s, make)
    return { image = make.random(s.height, s.width),
      out = make.out("float", s.height, s.width), width = s.width,
      height = s.height }
  end,
  outputs = { "out" },
  launch = function(s)
    return { groups = { (s.width + 15) // 16, (s.height + 3) // 4 },
      group = { 16, 4 } }
  end,
  reference = function(s, arg, out)
    local image, y = arg.image, out.out
    for row = 0, s.height - 1 do
      for column = 0, s.width - 1 do
        y[row * s.width + column] = image[row * s.width + s.width - 1 - column]
      end
    end
  end,
  tolerance = 0,
  cases = { { width = 1, height = 1 }, { width = 2, height = 1 },
    { width = 1, height = 3 }, { width = 3, height = 2 },
    { width = 16, height = 4 }, { width = 17, height = 5 },
    { width = 31, height = 33 }, { width = 61, height = 7 },
    { width = 7, height = 61 } },
  targets = {
    { profile = "device_writes", per = "busiest thread", at_most = 2,
      size = { width = 64, height = 32 },
      say = "There is a thread for every pixel: each writes its own, and none goes through the image by itself." },
  },
  start_fails = { "wrong", "out-of-bounds" },
  wrong = {
    ["width-and-height-exchanged"] = { "wrong", "out-of-bounds" },
    ["x-is-the-row"] = { "wrong", "out-of-bounds" },
    ["off-by-one"] = { "wrong", "out-of-bounds" },
    ["guard-with-and"] = { "out-of-bounds", "wrong" },
    ["upside-down"] = "wrong",
    ["one-thread-for-all"] = "target",
    ["one-thread-for-a-row"] = "target",
  },
  hints = {
    "Write down where pixel (x, y) lies in memory. How many pixels come before row y?",
    "Row y starts at y * width. The pixel that goes to column x comes from column width - 1 - x of the same row.",
    "The guard must stop a thread that is too far right or too far down: if (p.x >= width || p.y >= height) return;",
    "out[p.y * width + p.x] = image[p.y * width + (width - 1 - p.x)];",
  },
  challenges = {
    { name = "both-ends", title = "Both ends of a row",
      task = "Half as many threads in each row: a thread mirrors a pixel and the one it changes places with. The width is even. Fewer instructions than the start.",
      score = { profile = "issued", size = { width = 128, height = 32 }, say = "Where a row begins is needed twice and computed once, and so is the guard." },
      wrong = "wrong",
      launch = function(s)
        return { groups = { (s.width // 2 + 15) // 16, (s.height + 3) // 4 },
          group = { 16, 4 } }
      end,
      cases = { { width = 2, height = 1 }, { width = 4, height = 3 },
        { width = 34, height = 5 }, { width = 62, height = 33 } },
      hints = { "Two indices, left and right, serve for reading and for writing." } },
    { name = "half-turn", title = "Half a turn",
      task = "Turn the image by 180 degrees: out[r][c] = image[height - 1 - r][width - 1 - c]. Fewer instructions for a thread: one index will do.",
      score = { profile = "issued", per = "busiest thread",
        size = { width = 128, height = 32 },
        say = "Turned by 180 degrees, the last element comes first: element i comes from size - 1 - i." },
      wrong = "wrong",
      reference = function(s, arg, out)
        for i = 0, s.width * s.height - 1 do
          out.out[i] = arg.image[s.width * s.height - 1 - i]
        end
      end,
      hints = { "Half a turn of the image is the list of its pixels, back to front." } },
  },
}
