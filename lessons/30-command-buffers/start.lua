-- Launches of the kernels k.slope, k.smooth, k.combine and k.add on the buffers
-- b.x, b.s, b.m, b.e, b.t and b.out, of n floats each; b.x is given.
function work(k, b, n)
  k.slope{b.x, b.s, grid = n, group = 64}
  k.smooth{b.x, b.m, grid = n, group = 64}
  k.combine{b.s, b.m, b.e, grid = n, group = 64}
  k.slope{b.m, b.s, grid = n, group = 64}
  k.add{b.e, b.s, b.out, grid = n, group = 64}
end
