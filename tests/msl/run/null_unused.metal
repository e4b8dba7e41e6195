// section: 4.1 Address Space Attributes
// construct: what is read by way of a null pointer and never used
// grid: 64
// group: 64, 32, 31
// repeats: no
// in: a float 0..63
// out: b float = i + 10 * (i % 3 + 1)
#include <metal_stdlib>
using namespace metal;

template <bool NAMES>
static void choose(const threadgroup float *left, const threadgroup uint *names, thread float (&values)[2],
                   thread uint (&chosen)[2], uint from) {
  uint at = 0;
  for (int k = 0; k < 2; ++k) {
    bool next = left[from] > 3.0f;
    values[k] += next ? 10.0f : 5.0f;
    chosen[k] = next ? names[at] : names[at + 1];
    at += uint(next);
  }
}

/* Both lists are put in order; of one nobody knows. */
static void order(thread float (&values)[2], thread uint (&chosen)[2]) {
  if (values[1] < values[0]) {
    float v = values[0];
    uint c = chosen[0];
    values[0] = values[1], chosen[0] = chosen[1];
    values[1] = v, chosen[1] = c;
  }
}

kernel void test(device const float *a [[buffer(0)]], device float *b [[buffer(1)]],
                 uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]]) {
  threadgroup float shared[64];
  thread float values[2] = {a[i], a[i]};
  thread uint chosen[2];
  uint rounds = i % 3 + 1;
  for (uint round = 0; round < 3; round++) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    shared[t] = round < rounds ? 5.0f : 1.0f;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    thread float more[2] = {0, 0};
    choose<false>(shared, nullptr, more, chosen, t);
    order(more, chosen);
    if (round < rounds) values[1] += more[1];
  }
  b[i] = values[1];
}
