// section: 4.3 Constant Address Space
// construct: __constant, and strings and __func__ where a constant const char * is wanted
// grid: 1
// out: o int 107 98 111 5
#include <metal_stdlib>
using namespace metal;
__constant int FIVE = 5;
static int letter(constant const char *s, int at) { return s[at]; }
static constant const char *word(bool b) { return b ? "on" : "off"; }
kernel void k(device int *o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  static_assert(sizeof(int) == 4, "an int has four bytes");
  o[i * 4] = letter(__func__, 0);
  o[i * 4 + 1] = letter("abc", 1);
  o[i * 4 + 2] = letter(word(true), 0);
  o[i * 4 + 3] = FIVE;
}
