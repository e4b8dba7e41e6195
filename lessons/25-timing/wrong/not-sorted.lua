function time_of(run, n)
  run()
  local times = {}
  for i = 1, n do times[i] = run() end
  local middle = (n + 1) // 2
  if n % 2 == 1 then return times[middle] end
  return (times[middle] + times[middle + 1]) / 2
end
