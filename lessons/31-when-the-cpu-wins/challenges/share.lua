local function takes(one, count)
  return count > 0 and one.launch + count * one.each or 0
end

function share(n, device, cpu)
  local k = (cpu.launch + n * cpu.each - device.launch)
    // (device.each + cpu.each)
  local best, least
  for _, each in ipairs{0, n, math.tointeger(k), math.tointeger(k) + 1} do
    if each >= 0 and each <= n then
      local time = math.max(takes(device, each), takes(cpu, n - each))
      if not least or time < least then best, least = each, time end
    end
  end
  return best
end
