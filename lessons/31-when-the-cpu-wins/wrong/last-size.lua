function turning_point(sizes, device, cpu)
  if device[#sizes] < cpu[#sizes] then return sizes[#sizes] end
end
