-- The time of run(), which does something once and returns the seconds it took:
-- the median of n runs, after one warm-up run that does not count.
function time_of(run, n)
  local sum = 0
  for _ = 1, n do sum = sum + run() end
  return sum / n
end
