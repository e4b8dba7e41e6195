-- The least time, once three runs lie within 1 % of it.
function fastest(run)
  local least = {}
  for _ = 1, 100 do
    least[#least + 1] = run()
    table.sort(least)
    least[4] = nil
    if least[3] and least[3] <= 1.01 * least[1] then break end
  end
  return least[1]
end
