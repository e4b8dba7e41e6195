function work(k, b, n)
  k.smooth{b.x, b.m, grid = n}
  k.slope{b.x, b.t, grid = n}
  gpu.barrier()
  k.slope{b.m, b.s, grid = n}
  k.combine{b.t, b.m, b.out, grid = n} -- out as a spare one, too
  gpu.barrier()
  k.add{b.out, b.s, b.out, grid = n}
end
