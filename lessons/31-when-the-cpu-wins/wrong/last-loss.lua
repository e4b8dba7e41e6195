function turning_point(sizes, device, cpu)
  for i = #sizes, 1, -1 do
    if device[i] >= cpu[i] then return sizes[i] end
  end
end
