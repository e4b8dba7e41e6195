function turning_point(sizes, device, cpu)
  local found
  for i = #sizes, 1, -1 do
    if device[i] >= cpu[i] then break end
    found = sizes[i]
  end
  return found
end
