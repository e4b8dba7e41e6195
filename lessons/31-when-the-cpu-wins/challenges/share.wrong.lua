-- a share by speed alone, and not a whole number
function share(n, device, cpu)
  return n * cpu.each / (device.each + cpu.each)
end
