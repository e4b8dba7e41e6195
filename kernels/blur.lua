return {
  about = "the weighted mean of 5 × 5 pixels, on textures",
  sizes = { width = 512, height = 512 },
  arguments = function(s, make)
    return { source = make.image("rgba32float", s.width, s.height),
      result = make.texture("rgba32float", s.width, s.height) }
  end,
  outputs = { "result" },
  launch = function(s)
    return { grid = { s.width, s.height }, group = { 16, 16 } }
  end,
  cpu = "blur",
  reference = function(s, arg, out, way)
    return cpu.blur(arg.source:read(), out.result, way)
  end,
  tolerance = 1e-5,
  bytes = function(s) return 32 * s.width * s.height end,
  operations = function(s) return 25 * 8 * s.width * s.height end,
  try = { { width = 1, height = 1 }, { width = 3, height = 2 },
    { width = 17, height = 31 },
    { width = 65, height = 33 } },
}
