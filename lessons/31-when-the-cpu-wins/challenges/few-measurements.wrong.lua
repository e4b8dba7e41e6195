-- the last size is taken for granted
function turning_point(is_faster, most)
  local low, high = 0, most
  while low < high do
    local middle = (low + high) // 2
    if is_faster(middle) then high = middle else low = middle + 1 end
  end
  return low
end
