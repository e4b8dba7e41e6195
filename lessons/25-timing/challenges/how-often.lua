-- The smallest power of two that takes as long as 'least'.
function repeats(run, least)
  local low, high = 0, 30
  while low < high do
    local middle = (low + high) // 2
    if run(1 << middle) >= least then high = middle else low = middle + 1 end
  end
  return 1 << low
end
