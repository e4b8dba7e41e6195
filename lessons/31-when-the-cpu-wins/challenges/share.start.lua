local function takes(one, count)
  return count > 0 and one.launch + count * one.each or 0
end

function share(n, device, cpu)
  return takes(device, n) < takes(cpu, n) and n or 0
end
