-- One run of the work, and the rest by division: the clock says 0.
function repeats(run, least)
  local k = 1
  while k * run(1) < least and k < 1 << 30 do k = 2 * k end
  return k
end
