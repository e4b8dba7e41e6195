-- mandelbrot.lua - keeps the view: zooms so that the point under the mouse
-- stays.
return {
  "mandelbrot.metal",
  start = function(f) f.view, f.turned = { -0.6, 0.0, 2.6 }, 0.0 end,
  step = function(f)
    local closer = (f.buttons & 1) - (f.buttons >> 2 & 1) +
      8 * (f.wheel - f.turned)
    f.turned = f.wheel
    local before = f.view[3]
    local after = before * math.exp(-1.2 * closer * f.dt)
    after = math.max(2e-5, math.min(4, after))
    for i = 1, 2 do
      local from_middle = (f.mouse[i] - f.size[i] / 2) / f.height
      f.view[i] = f.view[i] + from_middle * (before - after)
    end
    f.view[3] = after
    f.run "mandelbrot"
  end,
}
