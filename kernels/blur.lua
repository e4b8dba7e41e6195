local weights = { 1, 4, 6, 4, 1 }

return {
  about = "the weighted mean of 5 × 5 pixels, on textures",
  sizes = { width = 512, height = 512 },
  arguments = function(s, make)
    return { source = make.image("rgba32float", s.width, s.height),
      result = make.texture("rgba32float", s.width, s.height) }
  end,
  outputs = { "result" },
  launch = function(s) return { grid = { s.width, s.height }, group = { 16, 16 } } end,
  reference = function(s, arg, out)
    local pixels, w, h = arg.source:read(), s.width, s.height
    local floats, result = pixels:reshape(#pixels):table(), out.result
    local function clamp(v, last) return v < 0 and 0 or v > last and last or v end
    for y = 0, h - 1 do
      for x = 0, w - 1 do
        for c = 0, 3 do
          local sum = 0
          for dy = -2, 2 do
            local row = clamp(y + dy, h - 1) * w
            for dx = -2, 2 do
              sum = sum + weights[dy + 3] * weights[dx + 3] * floats[(row + clamp(x + dx, w - 1)) * 4 + c + 1]
            end
          end
          result[(y * w + x) * 4 + c] = sum / 256
        end
      end
    end
  end,
  tolerance = 1e-5,
  bytes = function(s) return 32 * s.width * s.height end,
  operations = function(s) return 25 * 8 * s.width * s.height end,
  try = { { width = 1, height = 1 }, { width = 3, height = 2 }, { width = 17, height = 31 },
    { width = 65, height = 33 } },
}
