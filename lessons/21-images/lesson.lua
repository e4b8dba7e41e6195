local across = { { -1, 0, 1 }, { -2, 0, 2 }, { -1, 0, 1 } }

return {
  title = "Images and textures", part = 3, minutes = 20,
  task = "Write `edges`: Sobel's filter in both directions, with the picture's frame repeated.",
  kernel = "edges",
  arguments = function(s, make)
    return { picture = make.image("rgba8unorm", s.width, s.height),
      result = make.texture("rgba32float", s.width, s.height) }
  end,
  outputs = { "result" },
  launch = function(s)
    return { grid = { s.width, s.height }, group = { 16, 8 } }
  end,
  reference = function(s, arg, out)
    local pixels, grey = arg.picture:read(), {}
    for y = 0, s.height - 1 do
      grey[y] = {}
      for x = 0, s.width - 1 do
        local first = 4 * (y * s.width + x)
        grey[y][x] = (0.299 * pixels[first] + 0.587 * pixels[first + 1]
          + 0.114 * pixels[first + 2]) / 255
      end
    end
    local function at(x, y)
      local row = grey[math.max(0, math.min(s.height - 1, y))]
      return row[math.max(0, math.min(s.width - 1, x))]
    end
    for y = 0, s.height - 1 do
      for x = 0, s.width - 1 do
        local a, d = 0, 0
        for dy = -1, 1 do
          for dx = -1, 1 do
            a = a + across[dy + 2][dx + 2] * at(x + dx, y + dy)
            d = d + across[dx + 2][dy + 2] * at(x + dx, y + dy)
          end
        end
        for c = 0, 3 do
          out.result[4 * (y * s.width + x) + c] = math.sqrt(a * a + d * d)
        end
      end
    end
  end,
  tolerance = 1e-4,
  cases = { { width = 1, height = 1 }, { width = 2, height = 1 },
    { width = 3, height = 2 }, { width = 19, height = 10 } },
  targets = {
    { profile = "issued", per = "busiest thread", of_solution = 4,
      size = { width = 32, height = 16 },
      say = "Nine pixels are enough, and a thread has one of its own." },
  },
  start_fails = "wrong",
  wrong = { ["dark-frame"] = "wrong", ["wraps-below-zero"] = "wrong",
    ["no-weights"] = "wrong", ["half-a-pixel"] = "wrong",
    ["every-pixel-of-a-square"] = "target" },
  hints = {
    "Write a function float grey(texture2d<float> t, int2 at) first: it samples one pixel and takes the dot product.",
    "constexpr sampler s(coord::pixel, address::clamp_to_edge); then picture.sample(s, float2(at) + 0.5f) repeats the frame. at is an int2, since it may be -1.",
    "Two loops, dy and dx from -1 to 1. across gets dx * (2 - abs(dy)) times the grey, down gets dy * (2 - abs(dx)) times it.",
    "length(float2(across, down)) is the result: result.write(float4(…), at).",
  },
  challenges = {
    { name = "eight-samples", title = "Fewer samples",
      task = "`edges` once more. Of the nine samples one has the weight 0 in both directions, and its neighbours are multiplied by numbers that never change. Fewer instructions.",
      score = { profile = "issued", per = "busiest thread",
        size = { width = 32, height = 16 },
        say = "Write the eight samples out, without loops and without weights that are computed." },
      wrong = "wrong",
      hints = { "Name them: float a = grey(picture, p + int2(-1, -1)) and so on; the one in the middle is not needed.",
        "The weights are 1 and 2: across is (c + 2 f + i) - (a + 2 d + g)." } },
    { name = "strip", title = "Four pixels a thread",
      task = "The same edges, with a thread for every four pixels of a column: pixels (x, 4 y) to (x, 4 y + 3), where (x, y) is the thread; the height is a multiple of four. The start takes nine samples for each. Neighbours share most of theirs: fewer instructions.",
      score = { profile = "issued", per = "busiest thread",
        size = { width = 32, height = 16 },
        say = "A column of four needs six rows of three: 18 samples, not 36." },
      launch = function(s)
        return { grid = { s.width, s.height // 4 }, group = { 16, 8 } }
      end,
      cases = { { width = 1, height = 4 }, { width = 2, height = 8 },
        { width = 19, height = 12 } },
      wrong = "wrong",
      hints = { "For one row of three, a, b and c: across gets c - a, and down gets a + 2 b + c.",
        "Keep both for the last three rows. Pixel y has across = top + 2 middle + bottom of the first, and down = bottom - top of the second." } },
  },
}
