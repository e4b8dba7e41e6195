function best_time(bytes, operations, peaks)
  local p = gpu.peaks()
  local moving, computing = bytes / p.memory, operations / p.operations
  return math.max(moving, computing),
    moving >= computing and "memory" or "arithmetic"
end
