-- The smallest size from which on the device is faster than the CPU, at that
-- size and at all larger ones; nil if there is none.
function turning_point(sizes, device, cpu)
  for i, size in ipairs(sizes) do
    if device[i] < cpu[i] then return size end
  end
end
