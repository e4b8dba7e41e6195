/*
** words.c - Clang's words, and a learner's mistakes, in MSL's terms.
**
** Two tables: spellings that C++ has and MSL has not, and beginnings of messages
** with the one sentence that helps. Text that a person reads is in the tables.
*/
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "msl/module.h"

/* Longest first where one begins another. */
static const struct {
  const char *from, *to;
} spellings[] = {
    {"unsigned long long", "ulong"}, {"long long", "long"}, {"unsigned int", "uint"},
    {"unsigned char", "uchar"},      {"unsigned short", "ushort"},
    {"unsigned long", "ulong"},      {"signed char", "char"}, {"_Float16", "half"},
    {"__bf16", "bfloat"},            {"C++17", "MSL"},      {"C++", "MSL"},
    {"__msl_bools<bool, 2>", "bool2"}, {"__msl_bools<bool, 3>", "bool3"}, {"__msl_bools<bool, 4>", "bool4"},
    {"__msl_bvec<2>", "bool2"}, {"__msl_bvec<3>", "bool3"}, {"__msl_bvec<4>", "bool4"},
    {"metal::matrix<float, 2, 2>", "float2x2"}, {"metal::matrix<float, 3, 3>", "float3x3"},
    {"metal::matrix<float, 4, 4>", "float4x4"}, {"matrix<float, 4, 4>", "float4x4"},
    {"matrix<float, 3, 3>", "float3x3"}, {"matrix<float, 2, 2>", "float2x2"},
};

/* Drop " (aka 'x')" and " (vector of 4 'float' values)". */
static const char *skip_aside(const char *s) {
  static const char *const asides[] = {" (aka '", " (vector of "};
  for (size_t i = 0; i < 2; i++) {
    size_t n = strlen(asides[i]);
    if (strncmp(s, asides[i], n) != 0) continue;
    int depth = 0;
    for (const char *p = s + 1; *p; p++) {
      if (*p == '(') depth++;
      if (*p == ')' && --depth == 0) return p + 1;
    }
  }
  return s;
}

/* float __attribute__((ext_vector_type(4))) -> float4 */
static void join_vectors(mt_Str *s) {
  static const char mark[] = " __attribute__((ext_vector_type(";
  for (char *at; s->text && (at = strstr(s->text, mark));) {
    char *n = at + strlen(mark), *end = strstr(n, ")))");
    if (end == NULL || end != n + 1) return;
    *at = *n;
    memmove(at + 1, end + 3, strlen(end + 3) + 1);
    s->length = strlen(s->text);
  }
}

/* where__msl2 -> where: one of several functions, msl/reader_twins.c */
static void drop_numbers(mt_Str *s) {
  for (char *at = s->text; at && (at = strstr(at, "__msl"));) {
    size_t n = strspn(at + 5, "0123456789");
    if (n == 0) {
      at += 5;
      continue;
    }
    memmove(at, at + 5 + n, strlen(at + 5 + n) + 1);
    s->length = strlen(s->text);
  }
}

/* vec<float, 4> -> float4; with 'prefix', which is shorter than 'begin', before it */
static void join_templates(mt_Str *s, const char *begin, const char *prefix) {
  size_t skip = strlen(begin), kept = strlen(prefix);
  for (char *at = s->text; at && (at = strstr(at, begin));) {
    char *comma = strchr(at, ','), *close = strchr(at, '>');
    bool plain = comma && close && comma < close && close == comma + 3 && comma[1] == ' ' &&
                 isdigit((unsigned char)comma[2]) && (at == s->text || !isalnum((unsigned char)at[-1]));
    for (char *p = at + skip; plain && p < comma; p++) plain = isalpha((unsigned char)*p);
    if (!plain) {
      at += skip;
      continue;
    }
    char digit = comma[2];
    size_t n = (size_t)(comma - (at + skip));
    memcpy(at, prefix, kept);
    at += kept;
    memmove(at, at - kept + skip, n);
    at[n] = digit;
    memmove(at + n + 1, close + 1, strlen(close + 1) + 1);
    s->length = strlen(s->text);
  }
}

/* typename __msl_plain<float4>::type -> float4 */
static void drop_around(mt_Str *s, const char *before, const char *behind) {
  for (char *at; s->text && (at = strstr(s->text, before));) {
    char *inner = at + strlen(before), *end = strstr(inner, behind);
    if (end == NULL) return;
    size_t n = (size_t)(end - inner);
    memmove(at, inner, n);
    memmove(at + n, end + strlen(behind), strlen(end + strlen(behind)) + 1);
    s->length = strlen(s->text);
  }
}

static void replace_all(mt_Str *s, const char *from, const char *to) {
  size_t n = strlen(from), k = strlen(to); /* k <= n */
  for (char *at = s->text; at && (at = strstr(at, from)); at += k) {
    memcpy(at, to, k);
    memmove(at + k, at + n, strlen(at + n) + 1);
    s->length = strlen(s->text);
  }
}

/* "use of undeclared identifier 'add'; did you mean 'hadd'?": a guess that begins
** with another letter, or is a word of the compiler's own, helps nobody. */
static void drop_suggestion(mt_Str *s) {
  static const char mark[] = "; did you mean '";
  char *at = s->text ? strstr(s->text, mark) : NULL, *name = s->text ? strchr(s->text, '\'') : NULL;
  if (at == NULL || name == NULL || name > at) return;
  const char *guess = at + strlen(mark);
  if (strncmp(guess, "metal::", 7) == 0) return;
  bool keyword = strncmp(guess, "for'", 4) == 0 || strncmp(guess, "int'", 4) == 0 || strncmp(guess, "do'", 3) == 0;
  if (guess[0] == name[1] && strncmp(guess, "__", 2) != 0 && !keyword) return;
  char *end = strchr(at, '?');
  memmove(at, end ? end + 1 : at + strlen(at), strlen(end ? end + 1 : at + strlen(at)) + 1);
  s->length = strlen(s->text);
}

static bool starts_word(const char *message, const char *at) {
  return at == message || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
}

const char *mt_words_message(mt_MslModule *m, const char *message) {
  mt_Str out = MT_STR_INIT;
  for (const char *s = message; *s;) {
    const char *skipped = skip_aside(s);
    if (skipped != s) {
      s = skipped;
      continue;
    }
    size_t i, count = sizeof spellings / sizeof spellings[0];
    for (i = 0; i < count; i++)
      if (strncmp(s, spellings[i].from, strlen(spellings[i].from)) == 0 && starts_word(message, s))
        break;
    if (i < count) {
      mt_str_add(&out, spellings[i].to);
      s += strlen(spellings[i].from);
    } else
      mt_str_add_char(&out, *s++);
  }
  drop_suggestion(&out);
  drop_numbers(&out);
  join_vectors(&out);
  drop_around(&out, "typename __msl_plain<", ">::type");
  drop_around(&out, "__msl_plain<", ">::type");
  join_templates(&out, "__msl_packed<", "packed_");
  join_templates(&out, "__msl_ext_vector<", "");
  join_templates(&out, "__msl_vec_of<", "");
  join_templates(&out, "metal::vec<", "");
  join_templates(&out, "vec<", "");
  replace_all(&out, "alias template '__msl_vec_of'", "vec<T, N>");
  replace_all(&out, " for the current target", "");
  replace_all(&out, "in 'metal::texture", "in 'texture");
  replace_all(&out, "metal::access::", "access::");
  static const char check[] = "static assertion failed";
  const char *text = mt_str_text(&out);
  if (strstr(text, "no member named '__put_")) text = "vector is not assignable (contains duplicate components)";
  if (strncmp(text, check, strlen(check)) == 0) { /* ours begin with a plain sentence */
    static const char *const ours[] = {"vector initialization", "atomic<T> exists for", "a simdgroup_matrix ",
                                       "a texture holds ", "sample takes level"};
    const char *colon = strstr(text, "': "), *plain = NULL;
    for (size_t i = 0; !plain && i < sizeof ours / sizeof ours[0]; i++) plain = strstr(text, ours[i]);
    if (colon && plain) text = colon + 3;
    else if (plain) text = strchr(text, ':') ? strchr(text, ':') + 2 : text;
  }
  const char *kept = mt_scrap_text(m, "%s", text);
  mt_str_free(&out);
  return kept;
}

/* ------------------------------------------------------------------- hints */

#define HAS_METAL "Write using namespace metal; after the #include, or metal:: before the name."

/* Where 'name' is quoted in a message that begins with 'begin'. */
static const struct {
  const char *begin, *has, *help;
} hints[] = {
    {"", "'threadIdx'", "In Metal a thread's place in its threadgroup is a parameter: uint t [[thread_position_in_threadgroup]]."},
    {"", "'blockIdx'", "In Metal the threadgroup's place is a parameter: uint g [[threadgroup_position_in_grid]]; for blockIdx.x * blockDim.x + threadIdx.x use uint i [[thread_position_in_grid]]."},
    {"", "'blockDim'", "In Metal the threadgroup's size is a parameter: uint n [[threads_per_threadgroup]]."},
    {"", "'gridDim'", "In Metal the number of threadgroups is a parameter: uint n [[threadgroups_per_grid]]."},
    {"", "'warpSize'", "In Metal a warp is a SIMD-group; its size is a parameter: uint w [[threads_per_simdgroup]]."},
    {"", "'__syncthreads'", "In Metal write threadgroup_barrier(mem_flags::mem_threadgroup)."},
    {"", "'__syncwarp'", "In Metal write simdgroup_barrier(mem_flags::mem_none)."},
    {"", "'__global__'", "In Metal write kernel before the function: kernel void name(…)."},
    {"", "'__device__'", "In Metal a function that kernels call needs no word before it."},
    {"", "'__host__'", "MSL runs on the GPU alone; leave the word out."},
    {"", "'__shared__'", "In Metal write threadgroup before the variable."},
    {"", "'__constant__'", "In Metal write constant before the variable."},
    {"", "'__restrict__'", "In Metal leave the word out."},
    {"", "'__ldg'", "In Metal read the buffer directly: p[i]."},
    {"", "'__shfl_down_sync'", "In Metal write simd_shuffle_down(value, delta)."},
    {"", "'__shfl_xor_sync'", "In Metal write simd_shuffle_xor(value, mask)."},
    {"", "'__shfl_sync'", "In Metal write simd_shuffle(value, lane)."},
    {"", "'__expf'", "In Metal write fast::exp(x)."},
    {"", "'atomicAdd'", "In Metal write atomic_fetch_add_explicit(&x, value, memory_order_relaxed) on a device atomic_uint or atomic_int."},
    {"", "'atomicCAS'", "In Metal write atomic_compare_exchange_weak_explicit(&x, &expected, value, memory_order_relaxed, memory_order_relaxed)."},
    {"", "'make_float2'", "In Metal write float2(x, y)."},
    {"", "'make_float3'", "In Metal write float3(x, y, z)."},
    {"", "'make_float4'", "In Metal write float4(x, y, z, w)."},
    {"", "'cudaMalloc'", "Buffers are made by the program that launches the kernel: gpu.buffer(n)."},
    {"", "'get_global_id'", "In Metal the thread's place is a parameter: uint i [[thread_position_in_grid]]."},
    {"", "'get_local_id'", "In Metal the place in the threadgroup is a parameter: uint t [[thread_position_in_threadgroup]]."},
    {"", "'get_group_id'", "In Metal the threadgroup's place is a parameter: uint g [[threadgroup_position_in_grid]]."},
    {"", "'get_local_size'", "In Metal the threadgroup's size is a parameter: uint n [[threads_per_threadgroup]]."},
    {"", "'get_global_size'", "In Metal the grid's size is a parameter: uint n [[threads_per_grid]]."},
    {"", "'get_num_groups'", "In Metal the number of threadgroups is a parameter: uint n [[threadgroups_per_grid]]."},
    {"", "'barrier'", "In Metal write threadgroup_barrier(mem_flags::mem_threadgroup)."},
    {"", "'CLK_LOCAL_MEM_FENCE'", "In Metal write threadgroup_barrier(mem_flags::mem_threadgroup)."},
    {"", "'__kernel'", "In Metal write kernel."},
    {"", "'__global'", "In Metal write device."},
    {"", "'global'", "In Metal write device."},
    {"", "'__local'", "In Metal write threadgroup."},
    {"", "'local'", "In Metal write threadgroup."},
    {"", "'__private'", "In Metal write thread."},
    {"", "'__constant'", "In Metal write constant."},
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
    {"", "'dim3'", "In Metal write uint3; the sizes of a launch are given by the program that launches."},
    {"", "'mem_threadgroup'", "Write mem_flags::mem_threadgroup."},
    {"", "'mem_device'", "Write mem_flags::mem_device."},
    {"", "'printf'", "A kernel cannot print: write the value to a buffer and look at that."},
    {"", "'malloc'", "Memory cannot be allocated in a kernel: use an array of fixed size, threadgroup memory or a buffer."},
    {"", "'NULL'", "Write nullptr."},
    {"", "'vector' in namespace 'std'", "MSL has no std::vector: use an array of fixed size, or array<T, N>."},
    {"", "'string' in namespace 'std'", "MSL has no strings."},
    {"", "'kernal'", "Write kernel."},
    {"", "'shared'", "In Metal write threadgroup before the variable."},
    {"", "'groupshared'", "In Metal write threadgroup before the variable."},
    {"", "'__threadgroup'", "In Metal write threadgroup before the variable."},
    {"", "'thread_group'", "In Metal write threadgroup before the variable."},
    {"", "'threadgroupBarrier'", "In Metal write threadgroup_barrier(mem_flags::mem_threadgroup)."},
    {"", "'simd_add'", "In Metal write simd_sum(x)."},
    {"", "'atomicSub'", "In Metal write atomic_fetch_sub_explicit(&x, value, memory_order_relaxed) on a device atomic_uint or atomic_int."},
    {"", "'__float2int_rn'", "In Metal write int(rint(x))."},
    {"", "'rand'", "MSL has no random numbers: hash the thread's position, or give the kernel a buffer of them."},
    {"", "'cout'", "A kernel cannot print: write the value to a buffer and look at that."},
    {"", "in namespace 'std'", "MSL has no std library; its functions are in metal."},
    {"unknown type name 'string'", "", "MSL has no strings."},
    {"unknown type name 'let'", "", "In Metal write auto, or the type: float a = x;"},
    {"unknown type name 'var'", "", "In Metal write auto, or the type: float a = x;"},
    {"unknown type name 'fn'", "", "In Metal a kernel is kernel void name(…), and a function begins with the type of its result."},
    {"", "'f32'", "In Metal write float."},
    {"", "'u32'", "In Metal write uint."},
    {"", "'i32'", "In Metal write int."},
    {"", "'numthreads'", "In Metal the threadgroup's size is given at the launch; a kernel is kernel void name(…)."},
    {"", "'RWStructuredBuffer'", "In Metal a buffer is a parameter: device float *x [[buffer(0)]]."},
    {"", "'StructuredBuffer'", "In Metal a buffer is a parameter: device const float *x [[buffer(0)]]."},
    {"", "'local_size_x'", "In Metal the threadgroup's size is given at the launch; a kernel is kernel void name(…)."},
    {"", "'texture2D'", "In Metal write t.sample(s, position) of a texture that is a parameter: texture2d<float> t [[texture(0)]]."},
    {"", "alias template 'uniform' requires", "In Metal a value for all threads is a parameter: constant float &t [[buffer(0)]]."},
    {"invalid suffix 'd'", "", "The GPU has no double precision; write 1.0, which is a float, or 1.0h for a half."},
    {"read-only variable is not assignable", "", "Memory in the constant address space, and what is const, is read only; write to a device buffer."},
    {"no viable overloaded '+='", "", "If it is an atomic, write atomic_fetch_add_explicit(&a, value, memory_order_relaxed)."},
    {"no viable overloaded '-='", "", "If it is an atomic, write atomic_fetch_sub_explicit(&a, value, memory_order_relaxed)."},
    {"use of undeclared identifier 'buffer'", "", "Attributes stand in two brackets: [[buffer(0)]]."},
    {"expected ']'", "", "Attributes stand in two brackets at both ends: [[buffer(0)]]."},
    {"variable length array", "", "The size of an array is a constant: a number, a #define or a constexpr."},
    {"overload resolution selected deleted operator '='", "", "An atomic is written by atomic_store_explicit(&a, value, memory_order_relaxed) and read by atomic_load_explicit."},
    {"cannot increment value of type 'atomic", "", "Write atomic_fetch_add_explicit(&a, 1, memory_order_relaxed)."},
    {"cannot decrement value of type 'atomic", "", "Write atomic_fetch_sub_explicit(&a, 1, memory_order_relaxed)."},
    {"assigning to", "incompatible type 'atomic", "An atomic is read by atomic_load_explicit(&a, memory_order_relaxed)."},
    {"cannot initialize", "of type 'atomic", "An atomic is read by atomic_load_explicit(&a, memory_order_relaxed)."},
    {"invalid operands to binary expression ('float' and 'float')", "", "% and the bit operators are for integers; for floats there is fmod(x, y)."},
    {"array subscript is not an integer", "", "An index is one number: take a component, as in p[i.x], or compute one, as in p[i.y * width + i.x]."},
    {"type 'texture", "does not provide a subscript operator", "Write t.read(position)."},
    {"no member named 'width' in 'texture", "", "Write t.get_width()."},
    {"no member named 'height' in 'texture", "", "Write t.get_height()."},
    {"member reference base type", "*' is not a structure", "A pointer knows no length: pass the count as constant uint &n [[buffer(k)]]."},
    {"a type specifier is required", "", "Something has no type: a kernel is kernel void name(…)."},
    {"cannot initialize a variable of type 'float' with an", "of type 'float", "Take one component, as in v.x, or declare a vector."},
    {"cannot initialize a variable of type 'int' with an", "of type '", "Convert it: int(x); of a vector take one component, as in v.x."},
    {"assigning to 'int' from incompatible type", "", "Convert it: int(x)."},
    {"vector component access exceeds type", "", "A float2 has x and y, a float3 also z, a float4 also w."},
    {"no matching constructor for initialization of 'float", "x", "A matrix is made of its columns, of all its numbers column by column, or of one number for the diagonal."},
    {"", "'gl_GlobalInvocationID'", "In Metal the thread's place is a parameter: uint3 i [[thread_position_in_grid]]."},
    {"", "'vec2'", "In Metal write float2."},
    {"", "'vec3'", "In Metal write float3."},
    {"", "'vec4'", "In Metal write float4."},
    {"", "'mat4'", "In Metal write float4x4."},
    {"", "'float4_t'", "In Metal write float4."},
    {"", "'sampler2D'", "In Metal textures are parameters: texture2d<float> t [[texture(0)]]."},
    {"", "'RWTexture2D'", "In Metal textures are parameters: texture2d<float, access::write> t [[texture(0)]]."},
    {"", "'GroupMemoryBarrierWithGroupSync'", "In Metal write threadgroup_barrier(mem_flags::mem_threadgroup)."},
    {"", "'__threadfence'", "In Metal write atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device)."},
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
    {"", "'atomicMax'", "In Metal write atomic_fetch_max_explicit(&x, value, memory_order_relaxed) on a device atomic_uint or atomic_int."},
    {"", "'atomicMin'", "In Metal write atomic_fetch_min_explicit(&x, value, memory_order_relaxed) on a device atomic_uint or atomic_int."},
    {"", "'atomicExch'", "In Metal write atomic_exchange_explicit(&x, value, memory_order_relaxed)."},
    {"", "'atomicInc'", "In Metal write atomic_fetch_add_explicit(&x, 1, memory_order_relaxed)."},
    {"", "'atomic_add'", "In Metal write atomic_fetch_add_explicit(&x, value, memory_order_relaxed) on a device atomic_uint or atomic_int."},
    {"", "'atomic_inc'", "In Metal write atomic_fetch_add_explicit(&x, 1, memory_order_relaxed)."},
    {"", "'fminf'", "In Metal the functions have no f at the end: min(a, b)."},
    {"", "'fmaxf'", "In Metal the functions have no f at the end: max(a, b)."},
    {"", "'expf'", "In Metal the functions have no f at the end: exp(x)."},
    {"", "'sqrtf'", "In Metal the functions have no f at the end: sqrt(x)."},
    {"", "'sinf'", "In Metal the functions have no f at the end: sin(x)."},
    {"", "'cosf'", "In Metal the functions have no f at the end: cos(x)."},
    {"", "'powf'", "In Metal the functions have no f at the end: pow(x, y)."},
    {"", "'rsqrtf'", "In Metal the functions have no f at the end: rsqrt(x)."},
    {"", "'vload4'", "In Metal make the pointer device float4 *p and read p[i]."},
    {"", "'vstore4'", "In Metal make the pointer device float4 *p and write p[i]."},
    {"", "'read_imagef'", "In Metal write texture.read(position), or texture.sample(s, position)."},
    {"", "'write_imagef'", "In Metal write texture.write(value, position)."},
    {"", "'image2d_t'", "In Metal write texture2d<float, access::read>."},
    {"", "'work_group_barrier'", "In Metal write threadgroup_barrier(mem_flags::mem_threadgroup)."},
    {"", "'get_sub_group_local_id'", "In Metal the place in the SIMD-group is a parameter: uint l [[thread_index_in_simdgroup]]."},
    {"too many elements in vector", "", "Count the parts: a float2 brings two, a float3 three, a number one."},
    {"too few elements in vector", "", "Count the parts: a float2 brings two, a float3 three, a number one; a single number fills all."},
    {"", "unknown class name 'metal'", "#include <metal_stdlib> comes first."},
    {"", "file not found", "Only Metal's own headers, such as <metal_stdlib>, and files beside the source or in the folders of include = {…} (compile -I) can be included."},
    {"", "to 'const ", "Memory in the constant address space is read only; write to a device buffer."},
    {"cannot assign to", "const", "Memory in the constant address space, and what is const, is read only; write to a device buffer."},
    {"expected ';'", "", NULL},
};

/* Names of the standard library that people forget metal:: for. */
static const char *const library[] = {
    "'threadgroup_barrier'", "'simdgroup_barrier'", "'mem_flags'", "'simd_sum'", "'dot'",
    "'cross'", "'length'", "'normalize'", "'distance'", "'clamp'", "'mix'", "'saturate'",
    "'smoothstep'", "'step'", "'min'", "'max'", "'abs'", "'sqrt'", "'rsqrt'", "'exp'", "'exp2'",
    "'log'", "'log2'", "'pow'", "'sin'", "'cos'", "'tan'", "'floor'", "'ceil'", "'fract'",
    "'round'", "'fma'", "'fabs'", "'tanh'", "'select'", "'atomic_int'", "'atomic_uint'",
    "'atomic_float'", "'atomic_fetch_add_explicit'", "'memory_order_relaxed'", "'texture2d'",
    "'texture1d'", "'texture3d'", "'sampler'", "'access'", "'vec'", "'array'", "'popcount'",
    "'simd_shuffle_down'", "'simd_max'", "'simd_min'", "'simdgroup_matrix'", NULL};

const char *mt_words_help(mt_MslModule *m, const char *message) {
  for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++)
    if (strncmp(message, hints[i].begin, strlen(hints[i].begin)) == 0 &&
        strstr(message, hints[i].has) && hints[i].help)
      return hints[i].help;
  const char *call = mt_words_call(m, message);
  if (call) return call;
  bool unknown = strstr(message, "undeclared") || strstr(message, "unknown type") ||
                 strstr(message, "no template named");
  /* a name that is meant and is there already needs no namespace */
  if (!unknown || (strstr(message, "did you mean '") && !strstr(message, "did you mean 'metal::"))) return NULL;
  for (size_t i = 0; library[i]; i++)
    if (strstr(message, library[i])) {
      /* Clang says where it found it; the sentence is the same either way */
      return strstr(m->source, "metal_stdlib") ? HAS_METAL
             : "Begin the source with #include <metal_stdlib> and using namespace metal;";
    }
  return NULL;
}
