function time_of(run, n)
  run()
  local times = {}
  for i = 1, n do times[i] = run() end
  table.sort(times)
  return times[n // 2 + 1]
end
