-- The ids of the figures in which card b is surely faster than card a.
function sure_wins(a, b)
  local wins = {}
  for i, figure in ipairs(a.figures) do
    if b.figures[i].time.median < figure.time.median then
      wins[#wins + 1] = figure.id
    end
  end
  return wins
end
