kernel void mirror(device const float *image [[buffer(0)]],
                   device float *out         [[buffer(1)]],
                   constant uint &width      [[buffer(2)]],
                   constant uint &height     [[buffer(3)]],
                   uint2 p [[thread_position_in_grid]]) {
  if (p.x > 0 || p.y > 0) return;
  for (uint y = 0; y < height; y++)
    for (uint x = 0; x < width; x++)
      out[y * width + x] = image[y * width + (width - 1 - x)];
}
