function turning_point(is_faster, most)
  local low, high = 0, most + 1 -- the answer lies between, both included
  while low < high do
    local middle = (low + high) // 2
    if is_faster(middle) then high = middle else low = middle + 1 end
  end
  if low <= most then return low end
end
