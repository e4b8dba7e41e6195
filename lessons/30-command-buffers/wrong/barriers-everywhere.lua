function work(k, b, n)
  k.slope{b.x, b.s, grid = n, group = 64}
  k.smooth{b.x, b.m, grid = n, group = 64}
  gpu.barrier()
  k.combine{b.s, b.m, b.e, grid = n, group = 64}
  gpu.barrier() -- a serial encoder could do this
  k.slope{b.m, b.s, grid = n, group = 64}
  gpu.barrier()
  k.add{b.e, b.s, b.out, grid = n, group = 64}
end
