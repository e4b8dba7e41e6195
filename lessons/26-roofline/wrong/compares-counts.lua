function best_time(bytes, operations, peaks)
  local moving, computing = bytes / peaks.memory, operations / peaks.operations
  return math.max(moving, computing),
    bytes >= operations and "memory" or "arithmetic"
end
