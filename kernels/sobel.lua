return {
  about = "edges of an image, on textures",
  sizes = { width = 1024, height = 1024 },
  arguments = function(s, make)
    return { source = make.image("r32float", s.width, s.height),
      result = make.texture("r32float", s.width, s.height) }
  end,
  outputs = { "result" },
  launch = function(s)
    return { grid = { s.width, s.height }, group = { 16, 16 } }
  end,
  cpu = "sobel",
  reference = function(s, arg, out, way)
    return cpu.sobel(arg.source:read(), out.result, way)
  end,
  tolerance = 1e-4,
  bytes = function(s) return 8 * s.width * s.height end,
  operations = function(s) return 20 * s.width * s.height end,
  try = { { width = 1, height = 1 }, { width = 3, height = 2 },
    { width = 17, height = 31 },
    { width = 65, height = 33 } },
}
