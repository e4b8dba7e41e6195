return {
  about = "edges of an image, on textures",
  sizes = { width = 1024, height = 1024 },
  arguments = function(s, make)
    return { source = make.image("r32float", s.width, s.height), result = make.texture("r32float", s.width, s.height) }
  end,
  outputs = { "result" },
  launch = function(s) return { grid = { s.width, s.height }, group = { 16, 16 } } end,
  reference = function(s, arg, out)
    local w, h = s.width, s.height
    local pixels = arg.source:read()
    local floats = pixels:reshape(#pixels):table()
    local result = out.result
    local function at(x, y)
      x = x < 0 and 0 or x >= w and w - 1 or x
      y = y < 0 and 0 or y >= h and h - 1 or y
      return floats[y * w + x + 1]
    end
    for y = 0, h - 1 do
      for x = 0, w - 1 do
        local nw, n, ne = at(x - 1, y - 1), at(x, y - 1), at(x + 1, y - 1)
        local e, west = at(x + 1, y), at(x - 1, y)
        local sw, south, se = at(x - 1, y + 1), at(x, y + 1), at(x + 1, y + 1)
        local across = ne + 2 * e + se - (nw + 2 * west + sw)
        local down = sw + 2 * south + se - (nw + 2 * n + ne)
        result[y * w + x] = math.sqrt(across * across + down * down)
      end
    end
  end,
  tolerance = 1e-4,
  bytes = function(s) return 8 * s.width * s.height end,
  operations = function(s) return 20 * s.width * s.height end,
  try = { { width = 1, height = 1 }, { width = 3, height = 2 }, { width = 17, height = 31 },
    { width = 65, height = 33 } },
}
