function wins(a, b, noise)
  local list = {}
  for i, figure in ipairs(a.figures) do
    local other = b.figures[i]
    if other and not figure.skipped and not other.skipped
      and other.time.high < figure.time.low then
      list[#list + 1] = figure.id
    end
  end
  return list
end
