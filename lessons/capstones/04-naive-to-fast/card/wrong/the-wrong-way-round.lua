one, two = answer "choose", answer "faster"

function with(kernel, launch, more)
  t = {kernel}
  for name, value in pairs(launch) do t[name] = value end
  for name, value in pairs(more or {}) do t[name] = value end
  return t
end

function median(kernel, launch)
  return compare(with(kernel, launch, {budget = 0.05})).rows[1].median
end

slow, quick = median(one.naive, one.launch), median(two.fast, two.fast_launch)
card = {
  device = gpu.device.title,
  naive = slow, fast = quick, times = quick / slow,
  naive_lines = profile(with(one.naive, one.launch)).total.lines,
  fast_lines = profile(with(two.fast, two.fast_launch)).total.lines,
}
