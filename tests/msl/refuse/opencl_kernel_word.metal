__kernel void add(__global const float *a, __global float *b) {
  int i = get_global_id(0);
  b[i] = a[i];
}
// expect: 1: write kernel
