// Of a struct's fields one was forgotten.
// run: --grid 32 --group 32 --arg x=float[256] --arg y=float[32]
#include <metal_stdlib>
using namespace metal;

struct Stats {
  float sum, squares;
  int count;
};

static void add(thread Stats &s, float v) {
  s.sum += v;
  s.squares += v * v; // !uninitialised
  s.count += 1;
}

kernel void variance(device const float *x [[buffer(0)]],
                     device float *y [[buffer(1)]],
                     uint i [[thread_position_in_grid]]) {
  Stats s;
  s.sum = 0;
  s.count = 0;
#ifdef FIXED
  s.squares = 0;
#endif
  for (uint k = 0; k < 8; k++) add(s, x[8 * i + k]);
  float mean = s.sum / float(s.count);
  y[i] = s.squares / float(s.count) - mean * mean; // !uninitialised
}
