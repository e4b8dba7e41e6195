function work(k, a, b, n)
  k.slope{a.x, a.s, grid = n, group = 64}
  k.smooth{a.x, a.m, grid = n, group = 64}
  gpu.barrier()
  k.combine{a.s, a.m, a.e, grid = n, group = 64}
  k.slope{a.m, a.t, grid = n, group = 64}
  gpu.barrier()
  k.add{a.e, a.t, a.out, grid = n, group = 64}
  gpu.barrier()
  k.slope{b.x, b.s, grid = n, group = 64}
  k.smooth{b.x, b.m, grid = n, group = 64}
  gpu.barrier()
  k.combine{b.s, b.m, b.e, grid = n, group = 64}
  k.slope{b.m, b.t, grid = n, group = 64}
  gpu.barrier()
  k.add{b.e, b.t, b.out, grid = n, group = 64}
end
