// section: 5.1.12 User Annotation Attribute
// construct: [[user_annotation("…")]], alone and beside others
// grid: 2
// out: o int 7 7
#include <metal_stdlib>
using namespace metal;
[[user_annotation("an add-on")]] [[kernel, max_total_threads_per_threadgroup(1024)]]
void k(device int *o [[buffer(0)]], uint i [[thread_position_in_grid]]) { o[i] = 7; }
