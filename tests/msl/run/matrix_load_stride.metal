// section: 6.7 SIMD-Group Matrix Functions
// construct: simdgroup_load from the middle of a larger matrix
// grid: 32
// group: 32
// in: a float 0..255
// out: out float 132 133 134 135 136 137 138 139 148 149 150 151 152 153 154 155 164 165 166 167
//   168 169 170 171 180 181 182 183 184 185 186 187 196 197 198 199 200 201 202 203 212 213 214
//   215 216 217 218 219 228 229 230 231 232 233 234 235 244 245 246 247 248 249 250 251
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]], device float *out [[buffer(1)]]) {
  simdgroup_float8x8 x;
  simdgroup_load(x, a, 16, ulong2(4, 8));
  simdgroup_store(x, out, 8);
}
