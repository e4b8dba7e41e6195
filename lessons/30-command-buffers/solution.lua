function work(k, b, n)
  k.slope{b.x, b.s, grid = n, group = 64}
  k.smooth{b.x, b.m, grid = n, group = 64}
  gpu.barrier() -- s and m are there
  k.combine{b.s, b.m, b.e, grid = n, group = 64}
  k.slope{b.m, b.t, grid = n, group = 64} -- not s, which combine reads
  gpu.barrier() -- e and t are there
  k.add{b.e, b.t, b.out, grid = n, group = 64}
end
