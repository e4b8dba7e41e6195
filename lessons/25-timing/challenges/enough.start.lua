-- The least time, once three runs lie within 1 % of it.
function fastest(run)
  local least = run()
  for _ = 2, 100 do least = math.min(least, run()) end
  return least
end
