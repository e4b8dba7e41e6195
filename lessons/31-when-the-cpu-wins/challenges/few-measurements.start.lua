function turning_point(is_faster, most)
  for k = 0, most do
    if is_faster(k) then return k end
  end
end
