// A binary search whose right end starts at n, where nothing is.
// run: --grid 40 --group 8 --arg sorted=int[100]:iota --arg place=int[40] --arg n=100
#include <metal_stdlib>
using namespace metal;

kernel void find(device const int *sorted [[buffer(0)]],
                 device int *place [[buffer(1)]],
                 constant int &n [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  int wanted = int(i) * 3;
  int low = 0;
#ifdef FIXED
  int high = n - 1;
#else
  int high = n;
#endif
  while (low <= high) {
    int middle = (low + high) / 2;
    if (sorted[middle] < wanted) low = middle + 1; // !out-of-bounds
    else high = middle - 1;
  }
  place[i] = low;
}
