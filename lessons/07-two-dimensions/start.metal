// Each row of the image should come out from right to left. The launch has full
// groups of 16 x 4 threads, so some threads have no pixel. Put in a guard, and
// fix the line: it only copies, and takes the wrong row length.

kernel void mirror(device const float *image [[buffer(0)]],
                   device float *out         [[buffer(1)]],
                   constant uint &width      [[buffer(2)]],
                   constant uint &height     [[buffer(3)]],
                   uint2 p [[thread_position_in_grid]]) {
  out[p.y * height + p.x] = image[p.y * height + p.x];
}
