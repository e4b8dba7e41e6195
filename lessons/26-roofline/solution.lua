function best_time(bytes, operations, peaks)
  local moving = bytes / peaks.memory
  local computing = operations / peaks.operations
  if moving >= computing then return moving, "memory" end
  return computing, "arithmetic"
end
