-- The least seconds that a kernel can take which moves so many bytes and does
-- so many operations, and what limits it: "memory" or "arithmetic".
function best_time(bytes, operations, peaks)
  return bytes / peaks.memory + operations / peaks.operations, "memory"
end
