function time_of(run, n)
  run()
  local best = math.huge
  for _ = 1, n do best = math.min(best, run()) end
  return best
end
