react, paint = answer "react", answer "paint"
n, feed, kill = 64, 0.037, 0.06
cells, other = gpu.buffer("float2", n * n), gpu.buffer("float2", n * n)
for i = 0, n * n - 1 do cells[i] = {1, 0} end
for y = 28, 35 do
  for x = 28, 35 do cells[n * y + x] = {0.5, 0.5} end
end

function advance()
  for _ = 1, 8 do
    react{cells, other, {n, n}, feed, kill, grid = {n, n}}
    cells, other = other, cells
  end
end

scene = {paint, size = n, step = function(f)
  advance()
  f.cells = cells
  f.run "paint"
end}
