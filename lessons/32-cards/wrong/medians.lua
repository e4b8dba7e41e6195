function wins(a, b, noise)
  local theirs = {}
  for _, figure in ipairs(b.figures) do theirs[figure.id] = figure end
  local list = {}
  for _, figure in ipairs(a.figures) do
    local other = theirs[figure.id]
    if other and not figure.skipped and not other.skipped
      and other.time.median < figure.time.median then
      list[#list + 1] = figure.id
    end
  end
  return list
end
