// A struct with methods: push counts, but nobody sets the count to 0.
// run: --grid 64 --group 32 --arg x=int[512] --arg y=int[64]
#include <metal_stdlib>
using namespace metal;

struct Stack {
  int item[8];
  int count;
  void push(int v) { item[count++] = v; } // !uninitialised
  int pop() { return item[--count]; }
};

kernel void last_even(device const int *x [[buffer(0)]],
                      device int *y [[buffer(1)]],
                      uint i [[thread_position_in_grid]]) {
  Stack s;
#ifdef FIXED
  s.count = 0;
#endif
  s.push(-1);
  for (int k = 0; k < 7; k++)
    if (x[8 * i + k] % 2 == 0) s.push(x[8 * i + k]);
  y[i] = s.pop();
}
