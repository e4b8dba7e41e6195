function sure_wins(a, b)
  local wins = {}
  for i, figure in ipairs(a.figures) do
    local other = b.figures[i]
    if other and not figure.skipped and not other.skipped and other.time.high < figure.time.low then
      wins[#wins + 1] = figure.id
    end
  end
  return wins
end
