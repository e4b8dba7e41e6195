function wins(a, b, noise)
  local theirs = {}
  for _, figure in ipairs(b.figures) do
    if not figure.skipped then theirs[figure.id] = figure.time end
  end
  local list = {}
  for _, figure in ipairs(a.figures) do
    local time = theirs[figure.id]
    if time and not figure.skipped and noise * time.high < figure.time.low then
      list[#list + 1] = figure.id
    end
  end
  return list
end
