-- The ids of the figures in which card b is faster than card a beyond the
-- noise.
function wins(a, b, noise)
  local list = {}
  for i, figure in ipairs(a.figures) do
    if b.figures[i].time.median < figure.time.median then
      list[#list + 1] = figure.id
    end
  end
  return list
end
