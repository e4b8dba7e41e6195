// Steps back from each element to the last one that is set, past the first.
// run: --grid 64 --group 32 --arg row.cells=int[64]:zero --arg row.found=int[64]
#include <metal_stdlib>
using namespace metal;

struct Row {
  device const int *cells;
  device int *found;
};

kernel void last_set(device const Row &row [[buffer(0)]],
                     uint i [[thread_position_in_grid]]) {
  int k = int(i);
#ifdef FIXED
  while (k >= 0 && row.cells[k] == 0) k--;
#else
  while (row.cells[k] == 0 && k > -3) k--; // !out-of-bounds
#endif
  row.found[i] = k;
}
