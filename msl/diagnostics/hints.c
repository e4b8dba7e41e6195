/*
** hints.c - one sentence of help for each common mistake.
**
** Tables match the beginning of a message and names from other languages. The
** help texts are in the tables; hints_slips.c has rules for the text of the
** erroneous line.
*/
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/advice.h"
#include "msl/module.h"
#include "msl/reader/reader.h"

#define HAS_METAL                                                           \
  "Write using namespace metal; after the #include, or metal:: before the " \
  "name."

#define ORDERS                                                               \
  "Atomic operations have memory_order_relaxed; other memory is ordered by " \
  "threadgroup_barrier, or by "                                              \
  "atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst)."

/* Where 'name' is quoted in a message that begins with 'begin'; 'help' as
** mt_advice_in reads it. */
static const struct {
  const char *begin, *has, *help;
} hints[] = {
    {"", "'threadIdx'",
     "In Metal a thread's place in its threadgroup is a parameter: uint t "
     "[[thread_position_in_threadgroup]]."},
    {"", "'blockIdx'",
     "In Metal the threadgroup's place is a parameter: uint g "
     "[[threadgroup_position_in_grid]]; for blockIdx.x * blockDim.x + "
     "threadIdx.x use uint i [[thread_position_in_grid]]."},
    {"", "'blockDim'",
     "In Metal the threadgroup's size is a parameter: uint n "
     "[[threads_per_threadgroup]]."},
    {"", "'gridDim'",
     "In Metal the number of threadgroups is a parameter: uint n "
     "[[threadgroups_per_grid]]."},
    {"", "'warpSize'",
     "In Metal a warp is a SIMD-group; its size is a parameter: uint w "
     "[[threads_per_simdgroup]]."},
    {"", "'__syncthreads'",
     "In Metal write threadgroup_barrier(mem_flags::mem_threadgroup)."},
    {"", "'__syncwarp'",
     "In Metal write simdgroup_barrier(mem_flags::mem_none)."},
    {"", "'__global__'",
     "In Metal write kernel before the function: kernel void name(…)."},
    {"", "'__device__'",
     "In Metal a function that kernels call needs no word before it."},
    {"", "'__host__'", "MSL runs on the GPU alone; leave the word out."},
    {"", "'__shared__'", "In Metal write threadgroup before the variable."},
    {"", "'__constant__'", "In Metal write constant before the variable."},
    {"", "'__restrict__'", "In Metal leave the word out."},
    {"", "'__ldg'", "In Metal read the buffer directly: p[i]."},
    {"", "'__shfl_down_sync'",
     "In Metal write simd_shuffle_down(value, delta)."},
    {"", "'__shfl_xor_sync'", "In Metal write simd_shuffle_xor(value, mask)."},
    {"", "'__shfl_sync'", "In Metal write simd_shuffle(value, lane)."},
    {"", "'__expf'", "In Metal write fast::exp(x)."},
    {"", "'atomicAdd'",
     "In Metal write atomic_fetch_add_explicit(&x, value, "
     "memory_order_relaxed) on a device atomic_uint or atomic_int."},
    {"", "'atomicCAS'",
     "In Metal write atomic_compare_exchange_weak_explicit(&x, &expected, "
     "value, memory_order_relaxed, memory_order_relaxed)."},
    {"", "'make_float2'", "In Metal write float2(x, y)."},
    {"", "'make_float3'", "In Metal write float3(x, y, z)."},
    {"", "'make_float4'", "In Metal write float4(x, y, z, w)."},
    {"", "'cudaMalloc'",
     "Buffers are made by the program that launches the kernel: {new_buffer}."},
    {"", "'get_global_id'",
     "In Metal the thread's place is a parameter: uint i "
     "[[thread_position_in_grid]]."},
    {"", "'get_local_id'",
     "In Metal the place in the threadgroup is a parameter: uint t "
     "[[thread_position_in_threadgroup]]."},
    {"", "'get_group_id'",
     "In Metal the threadgroup's place is a parameter: uint g "
     "[[threadgroup_position_in_grid]]."},
    {"", "'get_local_size'",
     "In Metal the threadgroup's size is a parameter: uint n "
     "[[threads_per_threadgroup]]."},
    {"", "'get_global_size'",
     "In Metal the grid's size is a parameter: uint n [[threads_per_grid]]."},
    {"", "'get_num_groups'",
     "In Metal the number of threadgroups is a parameter: uint n "
     "[[threadgroups_per_grid]]."},
    {"", "'barrier'",
     "In Metal write threadgroup_barrier(mem_flags::mem_threadgroup)."},
    {"", "'CLK_LOCAL_MEM_FENCE'",
     "In Metal write threadgroup_barrier(mem_flags::mem_threadgroup)."},
    {"", "'__kernel'", "In Metal write kernel."},
    {"", "'__global'", "In Metal write device."},
    {"", "'global'", "In Metal write device."},
    {"", "'__local'", "In Metal write threadgroup."},
    {"", "'local'", "In Metal write threadgroup."},
    {"", "'__private'", "In Metal write thread."},
    {"", "'convert_float4'", "In Metal write float4(x)."},
    {"", "'convert_int4'", "In Metal write int4(x)."},
    {"", "'native_exp'", "In Metal write fast::exp(x)."},
    {"", "'native_sin'", "In Metal write fast::sin(x)."},
    {"", "'mad'", "In Metal write fma(a, b, c)."},
    {"", "'convert_float'", "In Metal write float(x)."},
    {"", "'convert_int'", "In Metal write int(x)."},
    {"", "'convert_uint'", "In Metal write uint(x)."},
    {"", "'mod'", "In Metal write fmod(x, y), or % for integers."},
    {"", "'lerp'", "In Metal write mix(a, b, t)."},
    {"", "'frac'", "In Metal write fract(x)."},
    {"", "'mul'", "In Metal write m * v."},
    {"", "'ivec2'", "In Metal write int2."},
    {"", "'ivec3'", "In Metal write int3."},
    {"", "'ivec4'", "In Metal write int4."},
    {"", "'uvec2'", "In Metal write uint2."},
    {"", "'uvec3'", "In Metal write uint3."},
    {"", "'mat3'", "In Metal write float3x3."},
    {"", "'dim3'",
     "In Metal write uint3; the sizes of a launch are given by the program "
     "that launches."},
    {"", "'memory_order_acquire'", ORDERS},
    {"", "'memory_order_release'", ORDERS},
    {"", "'memory_order_acq_rel'", ORDERS},
    {"", "'memory_order_consume'", ORDERS},
    {"the order of an atomic operation", "", ORDERS},
    {MT_FLOAT_TO_BFLOAT, "", MT_FLOAT_TO_BFLOAT_HELP},
    {"", "'mem_threadgroup'", "Write mem_flags::mem_threadgroup."},
    {"", "'mem_device'", "Write mem_flags::mem_device."},
    {"", "'printf'",
     "A kernel cannot print: write the value to a buffer and look at that."},
    {"", "'malloc'",
     "Memory cannot be allocated in a kernel: use an array of fixed size, "
     "threadgroup memory or a buffer."},
    {"", "'NULL'", "Write nullptr."},
    {"", "'vector' in namespace 'std'",
     "MSL has no std::vector: use an array of fixed size, or array<T, N>."},
    {"", "'string' in namespace 'std'", "MSL has no strings."},
    {"", "'kernal'", "Write kernel."},
    {"", "'shared'", "In Metal write threadgroup before the variable."},
    {"", "'groupshared'", "In Metal write threadgroup before the variable."},
    {"", "'__threadgroup'", "In Metal write threadgroup before the variable."},
    {"", "'thread_group'", "In Metal write threadgroup before the variable."},
    {"", "'threadgroupBarrier'",
     "In Metal write threadgroup_barrier(mem_flags::mem_threadgroup)."},
    {"", "'simd_add'", "In Metal write simd_sum(x)."},
    {"", "'atomicSub'",
     "In Metal write atomic_fetch_sub_explicit(&x, value, "
     "memory_order_relaxed) on a device atomic_uint or atomic_int."},
    {"", "'__float2int_rn'", "In Metal write int(rint(x))."},
    {"", "'rand'",
     "MSL has no random numbers: hash the thread's position, or give the "
     "kernel a buffer of them."},
    {"", "'cout'",
     "A kernel cannot print: write the value to a buffer and look at that."},
    {"", "in namespace 'std'",
     "MSL has no std library; its functions are in metal."},
    {"unknown type name 'string'", "", "MSL has no strings."},
    {"unknown type name 'let'", "",
     "In Metal write auto, or the type: float a = x;"},
    {"unknown type name 'var'", "",
     "In Metal write auto, or the type: float a = x;"},
    {"unknown type name 'fn'", "",
     "In Metal a kernel is kernel void name(…), and a function begins with the "
     "type of its result."},
    {"", "'f32'", "In Metal write float."},
    {"", "'u32'", "In Metal write uint."},
    {"", "'i32'", "In Metal write int."},
    {"", "'numthreads'",
     "In Metal the threadgroup's size is given at the launch; a kernel is "
     "kernel void name(…)."},
    {"", "'RWStructuredBuffer'",
     "In Metal a buffer is a parameter: device float *x [[buffer(0)]]."},
    {"", "'StructuredBuffer'",
     "In Metal a buffer is a parameter: device const float *x [[buffer(0)]]."},
    {"", "'local_size_x'",
     "In Metal the threadgroup's size is given at the launch; a kernel is "
     "kernel void name(…)."},
    {"", "'texture2D'",
     "In Metal write t.sample(s, position) of a texture that is a parameter: "
     "texture2d<float> t [[texture(0)]]."},
    {"", "alias template 'uniform' requires",
     "In Metal a value for all threads is a parameter: constant float &t "
     "[[buffer(0)]]."},
    {"invalid suffix 'd'", "",
     "The GPU has no double precision; write 1.0, which is a float, or 1.0h "
     "for a half."},
    {"read-only variable is not assignable", "",
     "Memory in the constant address space, and what is const, is read only; "
     "write to a device buffer."},
    {"no viable overloaded '+='", "",
     "If it is an atomic, write atomic_fetch_add_explicit(&a, value, "
     "memory_order_relaxed)."},
    {"no viable overloaded '-='", "",
     "If it is an atomic, write atomic_fetch_sub_explicit(&a, value, "
     "memory_order_relaxed)."},
    {"use of undeclared identifier 'buffer'", "",
     "Attributes stand in two brackets: [[buffer(0)]]."},
    {"variable length array", "",
     "The size of an array is a constant: a number, a #define or a constexpr."},
    {"overload resolution selected deleted operator '='", "",
     "An atomic is written by atomic_store_explicit(&a, value, "
     "memory_order_relaxed) and read by atomic_load_explicit."},
    {"cannot increment value of type 'atomic", "",
     "Write atomic_fetch_add_explicit(&a, 1, memory_order_relaxed)."},
    {"cannot decrement value of type 'atomic", "",
     "Write atomic_fetch_sub_explicit(&a, 1, memory_order_relaxed)."},
    {"assigning to", "incompatible type 'atomic",
     "An atomic is read by atomic_load_explicit(&a, memory_order_relaxed)."},
    {"cannot initialize", "of type 'atomic",
     "An atomic is read by atomic_load_explicit(&a, memory_order_relaxed)."},
    {"invalid operands to binary expression ('float' and 'float')", "",
     "% and the bit operators are for integers; for floats there is fmod(x, "
     "y)."},
    {"array subscript is not an integer", "",
     "An index is one whole number: take a component, as in p[i.x], compute "
     "one, as in p[i.y * width + i.x], or convert a float, as in p[uint(f)]."},
    {"type 'texture", "does not provide a subscript operator",
     "Write t.read(position)."},
    {"no member named 'width' in 'texture", "", "Write t.get_width()."},
    {"no member named 'height' in 'texture", "", "Write t.get_height()."},
    {"member reference base type", "*' is not a structure",
     "A pointer knows no length: pass the count as constant uint &n "
     "[[buffer(k)]]."},
    {"a type specifier is required", "",
     "Something has no type: a kernel is kernel void name(…)."},
    {"cannot initialize a variable of type 'float' with an", "of type 'float",
     "Take one component, as in v.x, or declare a vector."},
    {"cannot initialize a variable of type 'int' with an", "of type '",
     "Convert it: int(x); of a vector take one component, as in v.x."},
    {"assigning to 'int' from incompatible type", "", "Convert it: int(x)."},
    {"vector component access exceeds type", "",
     "A float2 has x and y, a float3 also z, a float4 also w."},
    {"no matching constructor for initialization of 'float", "x",
     "A matrix is made of its columns, of all its numbers column by column, or "
     "of one number for the diagonal."},
    {"", "'gl_GlobalInvocationID'",
     "In Metal the thread's place is a parameter: uint3 i "
     "[[thread_position_in_grid]]."},
    {"", "'vec2'", "In Metal write float2."},
    {"", "'vec3'", "In Metal write float3."},
    {"", "'vec4'", "In Metal write float4."},
    {"", "'mat4'", "In Metal write float4x4."},
    {"", "'float4_t'", "In Metal write float4."},
    {"", "'sampler2D'",
     "In Metal textures are parameters: texture2d<float> t [[texture(0)]]."},
    {"", "'RWTexture2D'",
     "In Metal textures are parameters: texture2d<float, access::write> t "
     "[[texture(0)]]."},
    {"", "'GroupMemoryBarrierWithGroupSync'",
     "In Metal write threadgroup_barrier(mem_flags::mem_threadgroup)."},
    {"", "'__threadfence'",
     "In Metal write atomic_thread_fence(mem_flags::mem_device, "
     "memory_order_seq_cst, thread_scope_device)."},
    {"", "'__ballot_sync'", "In Metal write simd_ballot(condition)."},
    {"", "'__popc'", "In Metal write popcount(x)."},
    {"", "'__clz'", "In Metal write clz(x)."},
    {"", "'__brev'", "In Metal write reverse_bits(x)."},
    {"", "'__mul24'", "In Metal write a * b."},
    {"", "'__umulhi'", "In Metal write mulhi(a, b)."},
    {"", "'__fmaf_rn'", "In Metal write fma(a, b, c)."},
    {"", "'__float_as_int'", "In Metal write as_type<int>(x)."},
    {"", "'__int_as_float'", "In Metal write as_type<float>(x)."},
    {"", "'__float2half'", "In Metal write half(x)."},
    {"", "'__half2float'", "In Metal write float(x)."},
    {"", "'__half'", "In Metal write half."},
    {"", "'__nv_bfloat16'", "In Metal write bfloat."},
    {"", "'atomicMax'",
     "In Metal write atomic_fetch_max_explicit(&x, value, "
     "memory_order_relaxed) on a device atomic_uint or atomic_int."},
    {"", "'atomicMin'",
     "In Metal write atomic_fetch_min_explicit(&x, value, "
     "memory_order_relaxed) on a device atomic_uint or atomic_int."},
    {"", "'atomicExch'",
     "In Metal write atomic_exchange_explicit(&x, value, "
     "memory_order_relaxed)."},
    {"", "'atomicInc'",
     "In Metal write atomic_fetch_add_explicit(&x, 1, memory_order_relaxed)."},
    {"", "'atomic_add'",
     "In Metal write atomic_fetch_add_explicit(&x, value, "
     "memory_order_relaxed) on a device atomic_uint or atomic_int."},
    {"", "'atomic_inc'",
     "In Metal write atomic_fetch_add_explicit(&x, 1, memory_order_relaxed)."},
    {"", "'fminf'", "In Metal the functions have no f at the end: min(a, b)."},
    {"", "'fmaxf'", "In Metal the functions have no f at the end: max(a, b)."},
    {"", "'expf'", "In Metal the functions have no f at the end: exp(x)."},
    {"", "'sqrtf'", "In Metal the functions have no f at the end: sqrt(x)."},
    {"", "'sinf'", "In Metal the functions have no f at the end: sin(x)."},
    {"", "'cosf'", "In Metal the functions have no f at the end: cos(x)."},
    {"", "'powf'", "In Metal the functions have no f at the end: pow(x, y)."},
    {"", "'rsqrtf'", "In Metal the functions have no f at the end: rsqrt(x)."},
    {"", "'vload4'",
     "In Metal make the pointer device float4 *p and read p[i]."},
    {"", "'vstore4'",
     "In Metal make the pointer device float4 *p and write p[i]."},
    {"", "'read_imagef'",
     "In Metal write texture.read(position), or texture.sample(s, position)."},
    {"", "'write_imagef'", "In Metal write texture.write(value, position)."},
    {"", "'image2d_t'", "In Metal write texture2d<float, access::read>."},
    {"", "'work_group_barrier'",
     "In Metal write threadgroup_barrier(mem_flags::mem_threadgroup)."},
    {"", "'get_sub_group_local_id'",
     "In Metal the place in the SIMD-group is a parameter: uint l "
     "[[thread_index_in_simdgroup]]."},
    {"use of undeclared identifier 'linear'", "", "Write filter::linear."},
    {"use of undeclared identifier 'nearest'", "", "Write filter::nearest."},
    {"use of undeclared identifier 'repeat'", "", "Write address::repeat."},
    {"use of undeclared identifier 'clamp_to_edge'", "",
     "Write address::clamp_to_edge."},
    {"use of undeclared identifier 'normalized'", "",
     "Write coord::normalized."},
    {"use of undeclared identifier 'pixel'", "", "Write coord::pixel."},
    {"use of undeclared identifier 'write'", "", "Write access::write."},
    {"use of undeclared identifier 'read'", "", "Write access::read."},
    {"use of undeclared identifier 'read_write'", "",
     "Write access::read_write."},
    {"a sampler cannot be made of this", "",
     "A sampler is made of filter::linear, address::repeat, coord::pixel and "
     "their like."},
    {"no matching constructor for initialization of 'const sampler'", "",
     "A sampler is made of filter::linear, address::repeat, coord::pixel and "
     "their like."},
    {"use of class template 'texture", "requires template arguments",
     "Say what it holds: texture2d<float>."},
    {"cannot convert between vector values of different size", "",
     "Make them of one size: take components, as in b.xyz, or add some, as in "
     "float4(a, 0)."},
    {"invalid operands to binary expression ('atomic", "",
     "An atomic is read by atomic_load_explicit(&a, memory_order_relaxed)."},
    {"invalid operands to binary expression ('float' and 'int')", "",
     "% and the bit operators are for integers; for floats there are fmod(x, "
     "y) and ldexp(x, n)."},
    {"invalid operands to binary expression ('half' and", "",
     "% and the bit operators are for integers; for halves there is fmod(x, "
     "y)."},
    {"", "named 'bicubic' in 'metal::",
     "Mettle has nearest and linear: what a bicubic filter mixes is not "
     "documented."},
    {"no member named 'size' in 'texture", "",
     "Write t.get_width() and t.get_height()."},
    {"no member named '", "x2'",
     "A matrix has columns: m[0] is a vector, m[0][1] a number."},
    {"no member named '", "x3'",
     "A matrix has columns: m[0] is a vector, m[0][1] a number."},
    {"no member named '", "x4'",
     "A matrix has columns: m[0] is a vector, m[0][1] a number."},
    {"", "'print'",
     "A kernel cannot print: write the value to a buffer and look at that."},
    {"", "'simd_lane_id'",
     "In Metal the place in the SIMD-group is a parameter: uint l "
     "[[thread_index_in_simdgroup]]."},
    {"", "'simd_group_id'",
     "In Metal the SIMD-group's number is a parameter: uint s "
     "[[simdgroup_index_in_threadgroup]]."},
    {"", "'simd_size'",
     "In Metal the size of a SIMD-group is a parameter: uint w "
     "[[threads_per_simdgroup]]."},
    {"use of undeclared identifier 'gid'", "",
     "The thread's place is a parameter: uint gid "
     "[[thread_position_in_grid]]."},
    {"use of undeclared identifier 'tid'", "",
     "The thread's place is a parameter: uint tid "
     "[[thread_position_in_grid]]."},
    {"use of undeclared identifier 'thread_id'", "",
     "The thread's place is a parameter: uint thread_id "
     "[[thread_position_in_grid]]."},
    {"", "'simd_quat", "MSL has no quaternions: use a float4."},
    {"", "'elif'", "Write else if (condition)."},
    {"", "'len'",
     "A pointer knows no length: pass the count as constant uint &n "
     "[[buffer(k)]]."},
    {"", "'True'", "Write true."},
    {"", "'False'", "Write false."},
    {"", "'None'",
     "Write nullptr, or a value that means nothing to your program."},
    {"unknown type name 'in'", "", "Write for (int j = 0; j < n; j++)."},
    {"unknown type name 'def'", "",
     "In Metal a kernel is kernel void name(…) { … }, and a function begins "
     "with the type of its result."},
    {"", "undeclared identifier 'math'",
     "MSL's functions have no module before them: sqrt(x)."},
    {"", "undeclared identifier 'np'",
     "MSL's functions have no module before them: sqrt(x)."},
    {"", "undeclared identifier 'torch'",
     "MSL's functions have no module before them: sqrt(x)."},
    {"", "undeclared identifier 'Math'",
     "MSL's functions have no module before them: sqrt(x)."},
    {"void function", "should not return a value",
     "A kernel writes its results to a device buffer; return; alone ends it."},
    {"non-void function does not return a value", "",
     "Every way through the function needs a return: without one the result is "
     "undefined on a GPU, and zero here."},
    {"invalid suffix 'hf'", "",
     "Write 1.0h for a half; 1.0 and 1.0f are floats."},
    {"array type", "is not assignable",
     "Assign element by element, or declare it as array<T, N>, which is "
     "assigned as a whole."},
    {"cannot convert between vector and non-scalar values", "x",
     "A matrix takes a vector with as many components as it has columns: "
     "float4x4 times float4."},
    {"value of type", "is not contextually convertible to 'bool'",
     "A condition is one bool. Of a vector write all(v) if every component "
     "must hold, any(v) if one suffices."},
    {"expected '(' after '", "",
     "What is tested stands in parentheses, what it governs in braces: if (x > "
     "0) { … }."},
    {"", "'atomic_fetch_add'",
     "In Metal write atomic_fetch_add_explicit(p, value, "
     "memory_order_relaxed)."},
    {"", "'atomic_fetch_sub'",
     "In Metal write atomic_fetch_sub_explicit(p, value, "
     "memory_order_relaxed)."},
    {"", "'atomic_fetch_min'",
     "In Metal write atomic_fetch_min_explicit(p, value, "
     "memory_order_relaxed)."},
    {"", "'atomic_fetch_max'",
     "In Metal write atomic_fetch_max_explicit(p, value, "
     "memory_order_relaxed)."},
    {"", "'atomic_load'",
     "In Metal write atomic_load_explicit(p, memory_order_relaxed)."},
    {"", "'atomic_store'",
     "In Metal write atomic_store_explicit(p, value, memory_order_relaxed)."},
    {"", "'atomic_exchange'",
     "In Metal write atomic_exchange_explicit(p, value, "
     "memory_order_relaxed)."},
    {"", "'simd_reduce_add'", "In Metal write simd_sum(x)."},
    {"", "'WaveActiveSum'", "In Metal write simd_sum(x)."},
    {"", "'WaveGetLaneIndex'",
     "In Metal the place in the SIMD-group is a parameter: uint l "
     "[[thread_index_in_simdgroup]]."},
    {"", "'WaveReadLaneAt'",
     "In Metal write simd_broadcast(value, lane), or simd_shuffle where lanes "
     "differ."},
    {"", "'InterlockedAdd'",
     "In Metal write atomic_fetch_add_explicit(p, value, memory_order_relaxed) "
     "on a device atomic_uint or atomic_int."},
    {"", "'asfloat'", "In Metal write as_type<float>(x)."},
    {"", "'asuint'", "In Metal write as_type<uint>(x)."},
    {"", "'asint'", "In Metal write as_type<int>(x)."},
    {"", "'rcp'", "In Metal write 1.0f / x."},
    {"", "'cbuffer'",
     "In Metal values for all threads are a parameter: constant Values &v "
     "[[buffer(0)]]."},
    {"", "'Texture2D'",
     "In Metal textures are parameters: texture2d<float> t [[texture(0)]]."},
    {"", "'inversesqrt'", "In Metal write rsqrt(x)."},
    {"", "'gl_LocalInvocationID'",
     "In Metal the place in the threadgroup is a parameter: uint3 t "
     "[[thread_position_in_threadgroup]]."},
    {"", "'gl_LocalInvocationIndex'",
     "In Metal it is a parameter: uint t [[thread_index_in_threadgroup]]."},
    {"", "'gl_WorkGroupID'",
     "In Metal the threadgroup's place is a parameter: uint3 g "
     "[[threadgroup_position_in_grid]]."},
    {"", "'gl_NumWorkGroups'",
     "In Metal the number of threadgroups is a parameter: uint3 n "
     "[[threadgroups_per_grid]]."},
    {"", "'imageLoad'", "In Metal write texture.read(position)."},
    {"", "'imageStore'", "In Metal write texture.write(value, position)."},
    {"", "'workgroupBarrier'",
     "In Metal write threadgroup_barrier(mem_flags::mem_threadgroup)."},
    {"", "'vec2f'", "In Metal write float2."},
    {"", "'vec3f'", "In Metal write float3."},
    {"", "'vec4f'", "In Metal write float4."},
    {"", "'vec3u'", "In Metal write uint3."},
    {"", "'f16'", "In Metal write half."},
    {"", "'as_float'", "In Metal write as_type<float>(x)."},
    {"", "'as_int'", "In Metal write as_type<int>(x)."},
    {"", "'as_uint'", "In Metal write as_type<uint>(x)."},
    {"", "'mul_hi'", "In Metal write mulhi(a, b)."},
    {"", "'native_sqrt'", "In Metal write fast::sqrt(x)."},
    {"", "'native_log'", "In Metal write fast::log(x)."},
    {"", "'sub_group_reduce_add'", "In Metal write simd_sum(x)."},
    {"", "'sampler_t'", "In Metal write constexpr sampler s(filter::linear);"},
    {"", "'CLK_GLOBAL_MEM_FENCE'",
     "In Metal write threadgroup_barrier(mem_flags::mem_device)."},
    {"", "'atomic_cmpxchg'",
     "In Metal write atomic_compare_exchange_weak_explicit(p, &expected, "
     "value, memory_order_relaxed, memory_order_relaxed)."},
    {"", "'__shfl_up_sync'", "In Metal write simd_shuffle_up(value, delta)."},
    {"", "'__any_sync'", "In Metal write simd_any(condition)."},
    {"", "'__all_sync'", "In Metal write simd_all(condition)."},
    {"", "'__activemask'", "In Metal write simd_active_threads_mask()."},
    {"", "'__logf'", "In Metal write fast::log(x)."},
    {"", "'__powf'", "In Metal write fast::pow(x, y)."},
    {"", "'__sinf'", "In Metal write fast::sin(x)."},
    {"", "'__cosf'", "In Metal write fast::cos(x)."},
    {"", "'__fdividef'", "In Metal write fast::divide(x, y)."},
    {"", "'__forceinline__'", "In Metal leave the word out, or write inline."},
    {"", "'__launch_bounds__'",
     "In Metal write [[max_total_threads_per_threadgroup(n)]] before kernel."},
    {"", "'make_int2'", "In Metal write int2(x, y)."},
    {"", "'make_uint3'", "In Metal write uint3(x, y, z)."},
    {"", "'half2float'", "In Metal write float(x)."},
    {"", "'M_PI'", "In Metal write M_PI_F, a float, or M_PI_H, a half."},
    {"too many elements in vector", "",
     "Count the parts: a float2 brings two, a float3 three, a number one."},
    {"too few elements in vector", "",
     "Count the parts: a float2 brings two, a float3 three, a number one; a "
     "single number fills all."},
    {"", "unknown class name 'metal'", "#include <metal_stdlib> comes first."},
    {"", "file not found",
     "Only Metal's own headers, such as <metal_stdlib>, and files beside the "
     "source or in the folders of {folders} can be included."},
    {"", "to 'const ",
     "Memory in the constant address space is read only; write to a device "
     "buffer."},
    {"cannot assign to", "const",
     "Memory in the constant address space, and what is const, is read only; "
     "write to a device buffer."},
    {"expected ';'", "", NULL},
};

/* Names of the standard library for which metal:: is often forgotten. */
static const char *const library[] = {"'threadgroup_barrier'",
                                      "'simdgroup_barrier'",
                                      "'mem_flags'",
                                      "'simd_sum'",
                                      "'dot'",
                                      "'cross'",
                                      "'length'",
                                      "'normalize'",
                                      "'distance'",
                                      "'clamp'",
                                      "'mix'",
                                      "'saturate'",
                                      "'smoothstep'",
                                      "'step'",
                                      "'min'",
                                      "'max'",
                                      "'abs'",
                                      "'sqrt'",
                                      "'rsqrt'",
                                      "'exp'",
                                      "'exp2'",
                                      "'log'",
                                      "'log2'",
                                      "'pow'",
                                      "'sin'",
                                      "'cos'",
                                      "'tan'",
                                      "'floor'",
                                      "'ceil'",
                                      "'fract'",
                                      "'round'",
                                      "'fma'",
                                      "'fabs'",
                                      "'tanh'",
                                      "'select'",
                                      "'atomic_int'",
                                      "'atomic_uint'",
                                      "'atomic_float'",
                                      "'atomic_fetch_add_explicit'",
                                      "'memory_order_relaxed'",
                                      "'texture2d'",
                                      "'texture1d'",
                                      "'texture3d'",
                                      "'sampler'",
                                      "'access'",
                                      "'vec'",
                                      "'array'",
                                      "'popcount'",
                                      "'simd_shuffle_down'",
                                      "'simd_max'",
                                      "'simd_min'",
                                      "'simdgroup_matrix'",
                                      NULL};

/* The length of the scalar's name in the vector type quoted at 's', and the
** number of components; 0: not a vector. */
static size_t vector_at(const char *s, char *size) {
  size_t n = 0;
  while (isalpha((unsigned char)s[n])) n++;
  if (n == 0 || s[n] < '2' || s[n] > '4' || s[n + 1] != '\'') return 0;
  *size = s[n];
  return n;
}

/* "variable of type 'float3' with an rvalue of type 'float4'" */
static const char *help_with_vectors(const char *message) {
  if (strncmp(message, "cannot initialize", 17) != 0 &&
      strncmp(message, "assigning to", 12) != 0)
    return NULL;
  const char *first = strchr(message, '\''),
             *second = first ? strchr(first + 1, '\'') : NULL;
  second = second ? strchr(second + 1, '\'') : NULL;
  char to, from;
  size_t n = first ? vector_at(first + 1, &to) : 0,
         k = second ? vector_at(second + 1, &from) : 0;
  if (k && first[1] && !n && strncmp(first, "'float'", 7) == 0)
    return "Take one component, as in v.x.";
  if (n == 0 || k == 0) return NULL;
  if (to < from)
    return to == '2' ? "Take the components that are needed, as in v.xy."
                     : "Take the components that are needed, as in v.xyz.";
  if (to > from)
    return "Say what the other components are, as in float4(v, 0, 1).";
  return "Vectors of different types are converted by name, as in int2(v).";
}

/* 'fabsf' where fabs is meant, which Clang suggests. */
static const char *help_with_suffix(mt_MslModule *m, const char *message) {
  static const char mark[] = "; did you mean '";
  const char *name = strchr(message, '\''), *guess = strstr(message, mark);
  size_t n = name ? strcspn(name + 1, "'") : 0;
  if (n < 3 || guess == NULL || name[n] != 'f') return NULL;
  guess += strlen(mark);
  if (strncmp(guess, "metal::", 7) == 0) guess += 7;
  if (strncmp(guess, name + 1, n - 1) != 0 || guess[n - 1] != '\'') return NULL;
  return mt_scrap_text(m,
                       "In Metal the functions have no f at the end: %.*s(…).",
                       (int)(n - 1), guess);
}

static bool fits(const char *message, const char *begin, const char *has) {
  return strncmp(message, begin, strlen(begin)) == 0 && strstr(message, has);
}

static const char *with_remedy(mt_MslModule *m, const char *help) {
  char text[400];
  if (!strchr(help, '{')) return help;
  return mt_scrap_text(m, "%s", mt_advice_in(help, text, sizeof text));
}

const char *mt_hint_find(mt_MslModule *m, const char *message,
                         const char *said, const char *line, const char *at) {
  const char *seen = mt_hint_slip(m, message, line, at);
  if (seen) return seen;
  for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++)
    if (hints[i].help && (fits(message, hints[i].begin, hints[i].has) ||
                          fits(said, hints[i].begin, hints[i].has)))
      return with_remedy(m, hints[i].help);
  const char *more = mt_hint_call(m, message, at);
  if (more == NULL) more = help_with_vectors(said);
  if (more == NULL) more = help_with_suffix(m, message);
  if (more) return more;
  bool unknown = strstr(message, "undeclared") ||
                 strstr(message, "unknown type") ||
                 strstr(message, "no template named");
  /* a suggested name that is visible needs no namespace */
  if (!unknown || (strstr(message, "did you mean '") &&
                   !strstr(message, "did you mean 'metal::")))
    return NULL;
  for (size_t i = 0; library[i]; i++)
    if (strstr(message, library[i])) {
      /* the same sentence whether or not Clang suggests metal:: */
      return strstr(m->source, "metal_stdlib")
                 ? HAS_METAL
                 : "Begin the source with #include <metal_stdlib> and using "
                   "namespace metal;";
    }
  return NULL;
}
