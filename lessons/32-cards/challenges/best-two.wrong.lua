-- the loser of the final may have met better ones never
function best_two(n, is_faster)
  local first, second = 1, 2
  for i = 2, n do
    if is_faster(i, first) then first, second = i, first end
  end
  return first, second
end
