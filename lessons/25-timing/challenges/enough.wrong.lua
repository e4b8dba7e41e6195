-- Two in a row that agree are not three, and need not be the least.
function fastest(run)
  local before = run()
  for _ = 2, 100 do
    local now = run()
    if math.abs(now - before) <= 0.01 * before then
      return math.min(now, before)
    end
    before = now
  end
  return before
end
