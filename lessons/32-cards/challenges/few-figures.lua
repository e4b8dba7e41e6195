local function tells(a, b, j)
  local x, y = a.figures[j].time, b.figures[j].time
  return x.high < y.low or y.high < x.low
end

local function is_enough(cards, set)
  for i = 1, #cards do
    for k = i + 1, #cards do
      local told = false
      for _, j in ipairs(set) do told = told or tells(cards[i], cards[k], j) end
      if not told then return false end
    end
  end
  return true
end

-- The bits of a number say which figures are in a set.
function enough(cards)
  local figures, best = cards[1].figures, nil
  for bits = 0, (1 << #figures) - 1 do
    local set = {}
    for j = 1, #figures do
      if bits >> (j - 1) & 1 == 1 then set[#set + 1] = j end
    end
    if (not best or #set < #best) and is_enough(cards, set) then best = set end
  end
  for i, j in ipairs(best) do best[i] = figures[j].id end
  return best
end
