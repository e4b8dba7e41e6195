function work(k, b, n)
  k.slope{b.x, b.s, grid = n, group = 64}
  k.smooth{b.x, b.m, grid = n, group = 64}
  k.combine{b.s, b.m, b.out, grid = n, group = 64}
  k.slope{b.m, b.s, grid = n, group = 64} -- s is free again
  k.add{b.out, b.s, b.out, grid = n, group = 64}
end
