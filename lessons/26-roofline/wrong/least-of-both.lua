function best_time(bytes, operations, peaks)
  local moving, computing = bytes / peaks.memory, operations / peaks.operations
  return math.min(moving, computing),
    moving >= computing and "memory" or "arithmetic"
end
