-- centre of the image and its width, as cpu.mandelbrot has them
local X, Y, WIDTH = -0.75, 0, 3

return {
  about = "steps until z = z² + c leaves the circle of radius 2",
  sizes = { rows = 1024, columns = 1024, steps = 256 },
  arguments = function(s, make)
    local pixel = WIDTH / s.columns
    return { counts = make.out("uint", s.rows, s.columns), rows = s.rows,
      columns = s.columns,
      corner = { X - pixel * (s.columns - 1) / 2,
        Y - pixel * (s.rows - 1) / 2 }, pixel = pixel, steps = s.steps }
  end,
  outputs = { "counts" },
  launch = function(s)
    return { grid = { s.columns, s.rows }, group = { 16, 16 } }
  end,
  cpu = "mandelbrot",
  reference = function(s, arg, out, way)
    return cpu.mandelbrot(out.counts, { way = way, steps = s.steps, x = X,
      y = Y, width = WIDTH })
  end,
  tolerance = 0,
  -- at the border of the set a difference in the last digit decides; which
  -- pixels it hits depends on whether multiply and add are fused
  strays = 0.02,
  bytes = function(s) return 4 * s.rows * s.columns end,
  -- those that were done
  operations = function(s, arg, out) return 8 * out.counts:sum() end,
  try = { { rows = 1, columns = 1, steps = 10 },
    { rows = 3, columns = 5, steps = 1 },
    { rows = 31, columns = 33, steps = 100 },
    { rows = 67, columns = 129, steps = 64 } },
}
