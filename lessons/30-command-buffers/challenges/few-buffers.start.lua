function work(k, b, n)
  k.slope{b.x, b.s, grid = n, group = 64}
  k.smooth{b.x, b.m, grid = n, group = 64}
  k.combine{b.s, b.m, b.e, grid = n, group = 64}
  k.slope{b.m, b.t, grid = n, group = 64}
  k.add{b.e, b.t, b.out, grid = n, group = 64}
end
