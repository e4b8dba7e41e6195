-- nbody.lua - two discs of bodies that pass through each other.
local count = 1024

local function discs(f)
  f.previous, f.next = gpu.buffer("float4", count), gpu.buffer("float4", count)
  f.velocity = gpu.buffer("float4", count)
  f.light = gpu.buffer("uint", f.height, f.width)
  local radius, angle = gpu.buffer(count):random(1), gpu.buffer(count):random(2)
  for i = 0, count - 1 do
    local side = i < count / 2 and -1 or 1
    local r, a = 0.05 + 0.4 * math.sqrt(radius[i]), 2 * math.pi * angle[i]
    local speed = 0.75 * math.sqrt(0.5 * (r / 0.45) ^ 2 / (r + 0.05))
    f.previous[i] = { 0.6 * side + r * math.cos(a),
      0.15 * side + r * math.sin(a), 0.03 * math.sin(3 * a), 1 / count }
    f.velocity[i] = { -speed * math.sin(a) - 0.25 * side,
      speed * math.cos(a), 0, 0 }
  end
end

return {
  "nbody.metal",
  count = count,
  start = discs,
  step = function(f)
    for _ = 1, 2 do
      f.run("move", { grid = count, group = 128 })
      f.swap("previous", "next")
    end
    f.run("shine", { grid = count, light = f.light })
    f.run "show"
  end,
}
