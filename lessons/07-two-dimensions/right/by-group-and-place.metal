kernel void mirror(device const float *image [[buffer(0)]],
                   device float *out         [[buffer(1)]],
                   constant uint &width      [[buffer(2)]],
                   constant uint &height     [[buffer(3)]],
                   ushort2 t [[thread_position_in_threadgroup]],
                   uint2 g [[threadgroup_position_in_grid]],
                   uint2 size [[threads_per_threadgroup]]) {
  int x = int(g.x * size.x + t.x), y = int(g.y * size.y + t.y);
  device const float *row = image + y * int(width);
  if (y < int(height) && x < int(width))
    out[y * int(width) + x] = row[int(width) - 1 - x];
}
