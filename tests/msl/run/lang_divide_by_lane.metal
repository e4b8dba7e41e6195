// section: 3.1 Scalar and Vector Operators
// construct: a division that a branch keeps from 0, by a number that the thread's lane gives
// grid: 32
// group: 32
// in: x int 17 117 217 317 417 517 617 717 817 917 1017 1117 1217 1317 1417 1517 1617 1717 1817 1917 2017 2117 2217 2317 2417 2517 2617 2717 2817 2917 3017 3117
// out: a int 7 600 300 200 150 120 100 85 75 66 60 54 50 46 42 40 37 35 33 31 30 28 27 26 25 24 23 22 21 20 20 19
// out: b int 9 0 9 2 9 2 9 3 9 8 9 6 9 4 9 2 9 0 9 17 9 17 9 17 9 17 9 17 9 17 9 17
// out: c short -1 -1 -1 -1 417 258 205 179 163 152 145 139 135 131 128 126 124 122 121 119 118 117 116 115 115 114 113 113 112 112 111 111
#include <metal_stdlib>
using namespace metal;
kernel void test(device const int *x [[buffer(0)]], device int *a [[buffer(1)]], device int *b [[buffer(2)]],
                 device short *c [[buffer(3)]], uint i [[thread_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  a[i] = lane ? int(600u / lane) : 7;
  b[i] = lane & 1u ? int(uint(x[i]) % (lane | 1u)) : 9;
  c[i] = lane > 3u ? short(x[i]) / short(lane - 3u) : short(-1);
}
