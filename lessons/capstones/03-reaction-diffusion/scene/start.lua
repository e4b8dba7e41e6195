react, paint = answer "react", answer "paint"
n, feed, kill = 64, 0.037, 0.06
cells, other = gpu.buffer("float2", n * n), gpu.buffer("float2", n * n)
for i = 0, n * n - 1 do cells[i] = {1, 0} end
for y = 28, 35 do
  for x = 28, 35 do cells[n * y + x] = {0.5, 0.5} end
end

-- Eight steps of react; the newest state is in cells afterwards.
function advance()
end

-- What play takes: the kernel that paints, its size, and a step.
scene = {paint, size = n}
