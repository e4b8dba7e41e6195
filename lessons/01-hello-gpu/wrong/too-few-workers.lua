twice = gpu.kernel [=[
  kernel void twice(device float *a [[buffer(0)]],
                    uint i [[thread_position_in_grid]]) {
    a[i] = 2 * a[i];
  }
]=]
y = gpu.buffer(1000):iota()
twice{y, grid = 8}
