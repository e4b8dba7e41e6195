-- msl_words.lua - words of Metal's language, for completion in kernels.
--
--   words.at(before, after)  those that may stand between the two parts of a
--                            source: MSL's own and the names of the source;
--                            between double brackets the attributes
--
-- What a kernel uses is listed, not all that the specification has; tests see
-- that the library has every one of them. Scalars and their vectors come from
-- the table (metal/__scalar_types).
local words = {}

local function split(text)
  local list = {}
  for word in text:gmatch "%S+" do list[#list + 1] = word end
  return list
end

words.language = split [[
  kernel device constant threadgroup thread const constexpr struct using
  namespace metal template typename static inline return if else for while do
  break continue switch case default void bool true false auto sizeof enum union
  volatile include define
  metal_stdlib metal_atomic metal_math metal_simdgroup metal_simdgroup_matrix]]

words.types = split [[
  size_t ptrdiff_t
  float2x2 float3x3 float4x4 half4x4 packed_float3 packed_half3
  atomic_int atomic_uint atomic_float atomic_bool atomic_ulong
  texture1d texture2d texture3d texture2d_array texturecube depth2d sampler
  access sample read write read_write coord address filter
  mem_flags mem_none mem_device mem_threadgroup mem_texture
  memory_order_relaxed simdgroup_float8x8 simdgroup_half8x8 simdgroup_matrix
  as_type numeric_limits array vec matrix uniform]]
for name in pairs(require "mettle.types") do
  words.types[#words.types + 1] = name
  for n = 2, 4 do words.types[#words.types + 1] = name .. n end
end
table.sort(words.types)

words.functions = split [[
  abs min max clamp min3 max3 median3 select mix step smoothstep saturate sign
  fabs fmin fmax floor ceil round rint trunc fract fmod modf copysign fdim fma
  sqrt rsqrt exp exp2 exp10 log log2 log10 pow powr sin cos tan asin acos atan
  atan2 sinh cosh tanh asinh acosh atanh sincos sinpi cospi tanpi ldexp frexp
  ilogb nextafter isnan isinf isfinite isnormal signbit all any
  dot cross length length_squared distance distance_squared normalize reflect
  refract faceforward transpose determinant
  popcount clz ctz reverse_bits extract_bits insert_bits rotate mulhi mad24 mul24
  madhi madsat addsat subsat hadd rhadd absdiff
  threadgroup_barrier simdgroup_barrier atomic_thread_fence
  atomic_load_explicit atomic_store_explicit atomic_exchange_explicit
  atomic_compare_exchange_weak_explicit atomic_fetch_add_explicit
  atomic_fetch_sub_explicit atomic_fetch_min_explicit atomic_fetch_max_explicit
  atomic_fetch_and_explicit atomic_fetch_or_explicit atomic_fetch_xor_explicit
  simd_sum simd_product simd_min simd_max simd_and simd_or simd_xor
  simd_prefix_inclusive_sum simd_prefix_exclusive_sum
  simd_prefix_inclusive_product simd_prefix_exclusive_product
  simd_shuffle simd_shuffle_xor simd_shuffle_up simd_shuffle_down
  simd_shuffle_rotate_up simd_shuffle_rotate_down simd_broadcast
  simd_broadcast_first simd_ballot simd_all simd_any simd_is_first
  simd_active_threads_mask
  quad_sum quad_product quad_min quad_max quad_shuffle quad_shuffle_xor
  quad_broadcast quad_all quad_any
  simdgroup_load simdgroup_store simdgroup_multiply
  simdgroup_multiply_accumulate make_filled_simdgroup_matrix
  pack_float_to_unorm4x8 unpack_unorm4x8_to_float]]

words.attributes = split [[
  buffer texture sampler threadgroup function_constant host_name
  max_total_threads_per_threadgroup
  thread_position_in_grid thread_position_in_threadgroup
  thread_index_in_threadgroup thread_index_in_simdgroup
  thread_index_in_quadgroup threads_per_grid threads_per_threadgroup
  threads_per_simdgroup dispatch_threads_per_threadgroup
  threadgroup_position_in_grid threadgroups_per_grid
  simdgroup_index_in_threadgroup simdgroups_per_threadgroup
  quadgroup_index_in_threadgroup quadgroups_per_threadgroup]]

-- Is the end of the text inside [[ … ]]?
local function in_attribute(before)
  local line = before:match "[^\n]*$"
  local open = line:match ".*()%[%["
  return open and not line:find("]]", open, true)
end

local function add(list, seen, more)
  for _, word in ipairs(more) do
    if not seen[word] then
      seen[word] = true
      list[#list + 1] = word
    end
  end
end

local function names_in(text)
  local list = {}
  local code = text:gsub("//[^\n]*", ""):gsub("/%*.-%*/", "")
  for name in code:gmatch "%f[%w_][%a_][%w_]*" do list[#list + 1] = name end
  return list
end

function words.at(before, after)
  if in_attribute(before) then return words.attributes end
  local list, seen = {}, {}
  -- what is being typed is no word yet
  add(list, seen, names_in((before:gsub("[%w_]+$", ""))))
  add(list, seen, names_in((after or ""):gsub("^[%w_]+", "")))
  for _, kind in ipairs { "language", "types", "functions" } do
    add(list, seen, words[kind])
  end
  return list
end

return words
