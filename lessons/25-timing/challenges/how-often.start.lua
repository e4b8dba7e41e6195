-- The smallest power of two that takes as long as 'least'.
function repeats(run, least)
  local k = 1
  while run(k) < least do k = 2 * k end
  return k
end
