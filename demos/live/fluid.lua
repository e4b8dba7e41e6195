-- fluid.lua - the order of the kernels in a step, and where the mouse pushes.
local function half(f, type) return gpu.buffer(type, f.cells[2], f.cells[1]) end

return {
  "fluid.metal",
  start = function(f)
    f.cells = { math.max(4, f.width // 2), math.max(4, f.height // 2) }
    f.velocity_in, f.velocity_out = half(f, "float2"), half(f, "float2")
    f.pressure_in, f.pressure_out = half(f, "float"), half(f, "float")
    f.divergence = half(f, "float")
    f.last = f.mouse
  end,
  step = function(f)
    local moved = { f.mouse[1] - f.last[1], f.mouse[2] - f.last[2] }
    f.last = f.mouse
    local cells = f.cells
    local sx, sy = cells[1] / f.width, cells[2] / f.height
    f.hand = { f.mouse[1] * sx, f.mouse[2] * sy, 8 * moved[1] * sx,
      8 * moved[2] * sy }
    f.run("push", { grid = cells })
    f.swap("velocity_in", "velocity_out")
    f.run("diverge", { grid = cells })
    for _ = 1, 16 do
      f.run("press", { grid = cells })
      f.swap("pressure_in", "pressure_out")
    end
    f.run("project", { grid = cells })
    f.swap("velocity_in", "velocity_out")
    f.run "smoke"
    f.swap("smoke_in", "smoke_out")
  end,
}
