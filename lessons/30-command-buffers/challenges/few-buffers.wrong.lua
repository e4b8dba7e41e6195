-- x itself is used as a spare buffer
function work(k, b, n)
  k.slope{b.x, b.out, grid = n, group = 64}
  k.smooth{b.x, b.m, grid = n, group = 64}
  k.combine{b.out, b.m, b.out, grid = n, group = 64}
  k.slope{b.m, b.x, grid = n, group = 64}
  k.add{b.out, b.x, b.out, grid = n, group = 64}
end
