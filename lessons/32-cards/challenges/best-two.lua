function best_two(n, is_faster)
  local round, beaten = {}, {}
  for i = 1, n do round[i], beaten[i] = i, {} end
  while #round > 1 do -- the winners play the next round
    local winners = {}
    for i = 1, #round, 2 do
      local a, b = round[i], round[i + 1]
      if b and is_faster(b, a) then a, b = b, a end
      if b then table.insert(beaten[a], b) end
      winners[#winners + 1] = a
    end
    round = winners
  end
  local first, second = round[1], nil
  for _, i in ipairs(beaten[first]) do
    if not second or is_faster(i, second) then second = i end
  end
  return first, second
end
