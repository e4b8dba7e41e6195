function best_two(n, is_faster)
  local first = 1
  for i = 2, n do if is_faster(i, first) then first = i end end
  local second
  for i = 1, n do
    if i ~= first and (not second or is_faster(i, second)) then second = i end
  end
  return first, second
end
