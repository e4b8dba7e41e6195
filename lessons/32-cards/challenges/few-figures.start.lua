function enough(cards)
  local ids = {}
  for i, figure in ipairs(cards[1].figures) do ids[i] = figure.id end
  return ids
end
