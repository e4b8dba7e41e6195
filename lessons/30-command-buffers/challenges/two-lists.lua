function work(k, a, b, n)
  for _, one in ipairs{a, b} do
    k.slope{one.x, one.s, grid = n, group = 64}
    k.smooth{one.x, one.m, grid = n, group = 64}
  end
  gpu.barrier() -- both s and both m are there
  for _, one in ipairs{a, b} do
    k.combine{one.s, one.m, one.e, grid = n, group = 64}
    k.slope{one.m, one.t, grid = n, group = 64}
  end
  gpu.barrier() -- both e and both t are there
  for _, one in ipairs{a, b} do
    k.add{one.e, one.t, one.out, grid = n, group = 64}
  end
end
