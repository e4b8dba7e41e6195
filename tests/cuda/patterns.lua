-- patterns.lua - what the cuda device's PTX must have, and must not, for small
-- kernels that ask for one thing each (tests/cuda/test_patterns.sh).
local t = dofile "tests/tap.lua"
local HEAD = "#include <metal_stdlib>\nusing namespace metal;\n"

-- The PTX without the device's sentences about it.
local function ptx(source, options)
  local text = gpu.library(HEAD .. source, options):kernel "k":asm()
  return (text:gsub("//[^\n]*", ""))
end

local function count(text, what) return select(2, text:gsub(what, "")) end

t.test("four floats that lie together are one access", function()
  local text = ptx "kernel void k(device float4 *a [[buffer(0)]], device const float4 *b [[buffer(1)]], uint i [[thread_position_in_grid]]) { a[i] = b[i] * 2; }"
  t.has(text, "ld.global.v4")
  t.has(text, "st.global.v4")
  t.equal(count(text, "%.local"), 0, "no local memory")
end)

t.test("constant memory by the read-only path, small values as parameters", function()
  local text = ptx "kernel void k(device float *a [[buffer(0)]], constant float *c [[buffer(1)]], constant uint &n [[buffer(2)]], uint i [[thread_position_in_grid]]) { if (i < n) a[i] = c[i]; }"
  t.has(text, "ld.global.nc")
  t.equal(count(text, "ld%.global"), 1, "n is no load from memory")
  -- a pointer made of the reference is memory again
  text = ptx "kernel void k(device float *a [[buffer(0)]], constant float &c [[buffer(1)]], uint i [[thread_position_in_grid]]) { constant float *p = &c; a[i] = p[i]; }"
  t.equal(count(text, "ld%.global"), 1)
end)

t.test("a launch of whole threadgroups needs no arithmetic for its grid", function()
  local text = ptx "kernel void k(device float *a [[buffer(0)]], uint2 i [[thread_position_in_grid]]) { a[i.y * 64 + i.x] = 1; }"
  t.equal(count(text, "ld%.param"), 1, "the buffer's address")
  t.equal(count(text, "setp"), 0)
  t.equal(count(text, "div"), 0)
end)

t.test("a loop by the group's size has four loads under way", function()
  for _, bound in ipairs { "n", "1024u" } do
    local text = ptx("kernel void k(device float *a [[buffer(0)]], device const float *b [[buffer(1)]], constant uint &n [[buffer(2)]], uint t [[thread_position_in_threadgroup]], uint g [[threadgroup_position_in_grid]]) { float s = 0; for (uint i = t; i < " .. bound .. "; i += 256) s += b[g * 1024 + i]; a[g * 256 + t] = s; }")
    t.ok(text:find "ld%.global[^\n]*\n[^b]*ld%.global[^\n]*\n[^b]*ld%.global[^\n]*\n[^b]*ld%.global", bound)
    t.equal(count(text, "ld%.global"), 5, "and one in what is left over")
  end
end)

t.test("a loop of sixteen that may end early is no loop", function()
  local text = ptx "kernel void k(device float *a [[buffer(0)]], device const float *b [[buffer(1)]], constant int &w [[buffer(2)]], uint i [[thread_position_in_grid]]) { float s = 0; for (int j = 1; j <= 16; j++) { int x = int(i) + int(floor(b[j] * float(j))); if (x < 0 || x >= w) break; s = max(s, b[x]); } a[i] = s; }"
  t.equal(count(text, "cvt%.rmi") + count(text, "cvt%.rzi%.s32%.f32"), 32)
  t.equal(count(text, "max%.f32"), 16)
  t.equal(count(text, "setp%.nan"), 0, "conversions saturate as they are")
end)

t.test("a chain of conditions on a value is a row of selections", function()
  local text = ptx "float f(float x) { x = abs(x); if (x < 1) return (1.5f * x - 2.5f) * x * x + 1; if (x < 2) return ((2.5f - 0.5f * x) * x - 4) * x + 2; return 0; } kernel void k(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) { a[i] = f(a[i]); }"
  t.equal(count(text, "bra"), 0)
end)

t.test("conversions of numbers that are out of range", function()
  local given = { 0.5, -0.5, 1e10, -1e10, 0 / 0, 300, -300, 70000, -70000,
    1 / 0 }
  local a, out = gpu.buffer("float", given), gpu.buffer("int", 5 * #given)
  gpu.library(HEAD .. [=[
kernel void k(device const float *a [[buffer(0)]], device int *out [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  out[5 * i] = int(a[i]);
  out[5 * i + 1] = int(uint(a[i]));
  out[5 * i + 2] = uchar(a[i]);
  out[5 * i + 3] = short(a[i]);
  out[5 * i + 4] = char(half(a[i]));
}]=]):kernel "k" { a, out, grid = #given }
  local function clamp(x, low, high)
    if x ~= x then return 0 end
    local n = math.max(low, math.min(high, x))
    return n < 0 and math.ceil(n) or math.floor(n)
  end
  for i, x in ipairs(given) do
    local n = clamp(x, 0, 2 ^ 32 - 1)
    local right = { clamp(x, -2 ^ 31, 2 ^ 31 - 1),
      n >= 2 ^ 31 and n - 2 ^ 32 or n,
      clamp(x, 0, 255), clamp(x, -2 ^ 15, 2 ^ 15 - 1), clamp(x, -128, 127) }
    for k = 1, 5 do
      t.equal(out[5 * i + k - 6], right[k] // 1 | 0, ("%g, %d"):format(x, k))
    end
  end
end)

t.test("exp is the GPU's instruction, and right to an ulp", function()
  local source = "kernel void k(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) { a[i] = exp(a[i]); }"
  t.equal(count(ptx(source), "ex2"), 1)
  local n = 2000
  local a, start = gpu.buffer("float", n), {}
  for i = 0, n - 1 do a[i] = (i - 990) * 0.0871 end
  a[0], a[1], a[2] = 1 / 0, -1 / 0, 0 / 0
  for i = 0, n - 1 do start[i] = a[i] end
  gpu.library(HEAD .. source):kernel "k" { a, grid = n }
  t.equal(a[0], 1 / 0)
  t.equal(a[1], 0)
  t.ok(a[2] ~= a[2], "NaN")
  for i = 3, n - 1 do
    local right = math.exp(start[i])
    if right < 3e38 and right > 2e-38 then
      t.ok(math.abs(a[i] / right - 1) < 2 ^ -23, start[i])
    end
  end
end)

-- Kernels whose private arrays are indexed by counters of loops; where they
-- stay in local memory, each element is a load and a store.
local in_registers = {
  ["a head of attention, in loops around which another runs"] = [=[
kernel void k(device const float *q, device const float *keys, device float *out, constant uint &n,
              uint i [[thread_position_in_grid]]) {
  float own[64], sum[64];
  for (int d = 0; d < 64; d++) { own[d] = q[i * 64 + d]; sum[d] = 0; }
  for (uint j = 0; j < n; j++) {
    float s = 0;
    for (int d = 0; d < 64; d++) s += own[d] * keys[j * 64 + d];
    for (int d = 0; d < 64; d++) sum[d] += s * keys[j * 64 + d];
  }
  for (int d = 0; d < 64; d++) out[i * 64 + d] = sum[d];
}]=],
  ["the row of an edit distance"] = [=[
kernel void k(device const uchar *text, device const uchar *with, device int *out,
              uint i [[thread_position_in_grid]]) {
  int row[25];
  for (int j = 0; j <= 24; j++) row[j] = j;
  for (int n = 0; n < 40; n++) {
    int corner = row[0];
    row[0] = n + 1;
    for (int j = 1; j <= 24; j++) {
      int cost = corner + (text[i * 40 + n] != with[j - 1]);
      corner = row[j];
      row[j] = min(min(row[j], row[j - 1]) + 1, cost);
    }
  }
  out[i] = row[24];
}]=],
  ["elimination with a pivot that is found when it runs"] = [=[
kernel void k(device float *m, uint i [[thread_position_in_grid]]) {
  float a[4][4];
  for (int r = 0; r < 4; r++) for (int c = 0; c < 4; c++) a[r][c] = m[i * 16 + r * 4 + c];
  for (int n = 0; n < 4; n++) {
    int p = n;
    for (int r = n + 1; r < 4; r++) if (abs(a[r][n]) > abs(a[p][n])) p = r;
    for (int c = 0; c < 4; c++) { float t = a[n][c]; a[n][c] = a[p][c]; a[p][c] = t; }
    for (int r = n + 1; r < 4; r++)
      for (int c = 3; c >= n; c--) a[r][c] -= a[r][n] / a[n][n] * a[n][c];
  }
  for (int r = 0; r < 4; r++) for (int c = 0; c < 4; c++) m[i * 16 + r * 4 + c] = a[r][c];
}]=],
  ["a triangle"] = [=[
kernel void k(device float *m, uint i [[thread_position_in_grid]]) {
  float l[7][7];
  for (int r = 0; r < 7; r++)
    for (int c = 0; c <= r; c++) {
      float s = m[i * 49 + r * 7 + c];
      for (int n = 0; n < c; n++) s -= l[r][n] * l[c][n];
      l[r][c] = r == c ? sqrt(s) : s / l[c][c];
    }
  for (int r = 0; r < 7; r++) for (int c = 0; c <= r; c++) m[i * 49 + r * 7 + c] = l[r][c];
}]=],
  ["a schedule of 64 words, each from words before it"] = [=[
kernel void k(device uint *x, uint i [[thread_position_in_grid]]) {
  uint w[64], h = 1;
  for (int t = 0; t < 16; t++) w[t] = x[i * 16 + t];
  for (int t = 16; t < 64; t++) w[t] = w[t - 16] + rotate(w[t - 15], 7u) + (w[t - 7] ^ w[t - 2] >> 3);
  for (int t = 0; t < 64; t++) h = rotate(h, 5u) + (h ^ w[t]);
  x[i] = h;
}]=],
  ["words that a table chooses"] = [=[
constant uchar order[32] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4, 6, 2, 6, 4, 3, 3, 8, 3, 2, 7, 9, 5};
kernel void k(device uint *x, uint i [[thread_position_in_grid]]) {
  uint w[10], h = 0;
  for (int t = 0; t < 10; t++) w[t] = x[i * 10 + t];
  for (int t = 0; t < 32; t++) h = rotate(h, 3u) * 5 + w[order[t]];
  x[i] = h;
}]=],
  ["the largest, in a loop that ends early"] = [=[
kernel void k(device const float *x, device float *out, constant uint &n, uint i [[thread_position_in_grid]]) {
  float best[12];
  for (int j = 0; j < 12; j++) best[j] = -1e30f;
  for (uint j = 0; j < n; j++) {
    float v = x[j * 4096 + i];
    if (v <= best[11]) continue;
    int at = 11;
    while (at > 0 && best[at - 1] < v) { best[at] = best[at - 1]; at--; }
    best[at] = v;
  }
  for (int j = 0; j < 12; j++) out[i * 12 + j] = best[j];
}]=],
  ["a component at an index of the thread's"] = [=[
struct Box { float low[3], high[3]; };
kernel void k(device const Box *boxes, device const uint *axis, device float *out, uint i [[thread_position_in_grid]]) {
  Box b = boxes[i];
  uint a = axis[i];
  b.high[a] = (b.low[a] + b.high[a]) / 2;
  out[i] = (b.high[0] - b.low[0]) * (b.high[1] - b.low[1]) * (b.high[2] - b.low[2]);
}]=],
}
for what, source in pairs(in_registers) do
  t.test("private arrays are registers: " .. what, function()
    t.equal(count(ptx(source), "%f[%w]local"), 0, "accesses of local memory")
  end)
end

t.test("private arrays at indices that are loaded, or too large, stay in memory, and loops stay loops", function()
  local text = ptx [=[
kernel void k(device const uchar *x, device uint *out, uint i [[thread_position_in_grid]]) {
  uint bin[32] = {};
  for (int j = 0; j < 1000; j++) bin[x[j * 4096 + i] & 31]++;
  for (int j = 0; j < 32; j++) out[i * 32 + j] = bin[j];
}]=]
  t.has(text, "local")
  text = ptx [=[
kernel void k(device const float *x, device float *out, uint i [[thread_position_in_grid]]) {
  float a[2000];
  for (int j = 0; j < 2000; j++) a[j] = x[j * 4096 + i];
  for (int j = 0; j < 2000; j++) out[j * 4096 + i] = a[1999 - j];
}]=]
  t.has(text, "local")
  t.ok(count(text, "ld%.global") < 100, "the loop is not 2000 copies")
end)

t.test("the upper half of a product is one instruction, also where an operand comes from before a loop", function()
  for type, suffix in pairs { uint = "u32", int = "s32" } do
    local text = ptx((([=[
kernel void k(device T *a [[buffer(0)]], device const T *b [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  T y = b[i];
  for (uint n = 0; n < uint(y & 15); n++) a[i] += mulhi(a[i] ^ b[n], y) * 6;
}]=]):gsub("%f[%w]T%f[%W]", type)))
    t.has(text, "mul.hi." .. suffix)
    t.equal(count(text, "mul%.lo%.s64"), 0, "no product of 64 bits")
  end
  t.has(ptx "kernel void k(device uint *a, uint i [[thread_position_in_grid]]) { a[i] = uint(ulong(a[i]) * 1000003u >> 32); }", "mul.hi.u32")
  local text = ptx "kernel void k(device uint *a, device ulong *b, uint i [[thread_position_in_grid]]) { ulong p = b[i] * a[i]; a[i] = uint(p >> 32); }"
  t.equal(count(text, "mul%.hi"), 0, "a factor of 64 bits is none of 32")
end)

t.test("threadgroup memory is shared memory, and barriers are aligned where all lanes come", function()
  local text = ptx [=[
kernel void k(device float *a, uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]]) {
  threadgroup float s[256];
  s[t] = a[i];
  for (uint n = 128; n > 0; n /= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t < n) s[t] += s[t + n];
  }
  if (t == 0) a[i] = s[0];
}]=]
  t.has(text, "ld.shared")
  t.has(text, "st.shared")
  t.has(text, "bar.sync")
  t.equal(count(text, "barrier%.sync"), 0, "none that counts single threads")
  t.equal(count(text, "%f[%w]ld%.b32"), 0, "no generic access")
end)

t.test("a barrier that lanes may reach one by one counts threads", function()
  t.has(ptx "kernel void k(device float *a [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) { for (uint j = 0; j < (i < 64 ? 2 : 3); j++) { a[i] += j; threadgroup_barrier(mem_flags::mem_device); } }", "barrier.sync")
end)

t.test("loops of a known length are unrolled, sums are fused", function()
  local text = ptx "kernel void k(device float *a [[buffer(0)]], device const float *b [[buffer(1)]], uint i [[thread_position_in_grid]]) { float s = 0; for (uint j = 0; j < 16; j++) s += b[16 * i + j] * b[j]; a[i] = s; }"
  t.ok(count(text, "fma%.rn%.f32") >= 15)
  text = ptx("kernel void k(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) { a[i] = a[i] * a[i + 1] + a[i + 2]; }", { math = "safe" })
  t.equal(count(text, "mul%.f32"), 0, "nothing that the driver may fuse: mul.rn")
end)

t.test("fast math: the GPU's own reciprocal root; roots are rounded, and safe math is exact", function()
  local source = "kernel void k(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) { a[i] = %s; }"
  t.has(ptx(source:format "rsqrt(a[i])"), "rsqrt.approx")
  t.has(ptx(source:format "1 / sqrt(a[i])"), "rsqrt.approx")
  t.has(ptx(source:format "sqrt(a[i])"), "sqrt.rn")
  t.has(ptx(source:format "a[i] / a[i + 1]"), "div.approx")
  local safe = ptx(source:format "1 / sqrt(a[i])", { math = "safe" })
  t.equal(count(safe, "approx"), 0)
end)

local MATRIX = [[
kernel void k(device const %s *a, device const %s *b, device float *c) {
  simdgroup_matrix<%s, 8, 8> x, y, z;
  simdgroup_float8x8 s = simdgroup_float8x8(0), u = simdgroup_float8x8(0);
  simdgroup_load(x, a, 8);
  simdgroup_load(z, a + 64, 8);
  simdgroup_load(y, b, 8);
  simdgroup_multiply_accumulate(s, x, y, s);
  simdgroup_multiply_accumulate(u, z, y, u);
  %s
  simdgroup_store(s, c, 8);
  simdgroup_store(u, c + 64, 8);
}]]
t.test("matrices on tensor cores: two products at once, by what their elements are", function()
  local function made(type, more)
    return ptx(MATRIX:format(type, type, type, more or ""))
  end
  local text = made "half"
  t.equal(count(text, "mma%.sync[%w%.]*f16%.f16%.f32"), 1)
  t.equal(count(text, "shfl"), 0, "no shuffles")
  t.equal(count(made "bfloat", "mma%.sync[%w%.]*bf16%.bf16%.f32"), 1)
  t.equal(count(made "float", "mma%.sync[%w%.]*tf32%.tf32%.f32"), 3, "high and low parts")
  -- a kernel that looks at elements sees Apple's layout
  text = made("float", "s.thread_elements()[0] += 1;")
  t.equal(count(text, "mma%.sync"), 0)
  t.ok(count(text, "shfl") >= 24)
end)

-- 16 x 16 by 16 x 16 halves, of tiles whose rows are longer than their numbers
local TILES = [=[
kernel void k(device const %s *a, device const %s *b, device float *c,
              uint i [[thread_index_in_threadgroup]]) {
  threadgroup %s left[16 * PITCH], right[16 * PITCH];
  for (uint e = i; e < 256; e += 32) {
    left[e / 16 * PITCH + e %% 16] = a[e];
    right[e / 16 * PITCH + e %% 16] = b[e];
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  simdgroup_float8x8 sum[2][2];
  for (uint r = 0; r < 2; r++)
    for (uint s = 0; s < 2; s++) sum[r][s] = make_filled_simdgroup_matrix<float, 8, 8>(1.0f);
  for (uint t = 0; t < 16; t += 8) {
    simdgroup_matrix<%s, 8, 8> x[2], y[2];
    for (uint r = 0; r < 2; r++) simdgroup_load(x[r], left + 8 * r * PITCH + t, PITCH);
    for (uint s = 0; s < 2; s++) simdgroup_load(y[s], right + t * PITCH + 8 * s, PITCH);
    for (uint r = 0; r < 2; r++)
      for (uint s = 0; s < 2; s++) simdgroup_multiply_accumulate(sum[r][s], x[r], y[s], sum[r][s]);
  }
  for (uint r = 0; r < 2; r++)
    for (uint s = 0; s < 2; s++) simdgroup_store(sum[r][s], c + 8 * r * 16 + 8 * s, 16);
}]=]
t.test("halves in threadgroup memory are loaded four matrices at a time, and sixteen products added at once", function()
  for _, type in ipairs { "half", "bfloat" } do
    -- rows of 21 do not begin at multiples of 16 bytes
    for pitch, joined in pairs { [24] = 2, [21] = 0 } do
      local source = TILES:format(type, type, type, type)
      local text = ptx(source, { defines = { PITCH = pitch } })
      t.equal(count(text, "ldmatrix%.sync%.aligned%.m8n8%.x4"), joined, type .. ", rows of " .. pitch)
      t.equal(count(text, "mma%.sync%.aligned%.m16n8k16"), 2)
      local a, b, c = gpu.buffer(type, 256), gpu.buffer(type, 256),
        gpu.buffer(256)
      for i = 0, 255 do a[i], b[i] = i * 7 % 9 - 4, i * 5 % 7 - 3 end
      gpu.library(HEAD .. source, { defines = { PITCH = pitch } })
        :kernel "k" { a, b, c, grid = 32, group = 32 }
      for r = 0, 15 do
        for q = 0, 15 do
          local sum = 1
          for k = 0, 15 do sum = sum + a[16 * r + k] * b[16 * k + q] end
          t.equal(c[16 * r + q], sum, ("%s, (%d, %d)"):format(type, r, q))
        end
      end
    end
  end
end)

t.test("a loop that LLVM has unrolled stays as it is, and conditions are one branch", function()
  local text = ptx "kernel void k(device float *a [[buffer(0)]], device const float *b [[buffer(1)]], constant uint &n [[buffer(2)]], uint i [[thread_position_in_grid]]) { float s = 0; for (uint j = 0; j < n; j++) s += b[i * n + j] * b[j]; a[i] = s; }"
  t.equal(count(text, "nounroll"), 2, "four rounds each, and what is left over")
  -- a loop that ends in a switch is none of these
  ptx "kernel void k(device uint *a [[buffer(0)]], uint i [[thread_position_in_grid]]) { uint x = a[i]; bool more = true; while (more) { x = x * 5 + 1; switch (x & 7) { case 3: more = false; break; default: break; } } a[i] = x; }"
  text = ptx "kernel void k(device float *a [[buffer(0)]], constant uint2 &n [[buffer(1)]], uint2 at [[thread_position_in_grid]]) { uint2 p = at * 2 + 1; if (p.x < n.x && p.y < n.y) a[p.y * n.x + p.x] = 1; }"
  t.ok(text:find "and%.pred" or text:find "or%.pred")
end)

t.test("sums of all lanes exchange values by a fixed pattern", function()
  local text = ptx "kernel void k(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) { a[i] = simd_sum(a[i]); }"
  t.equal(count(text, "shfl%.sync%.bfly"), 5)
end)

t.test("a shuffle by a distance is one instruction where all SIMD-groups are full", function()
  local text = ptx [=[
kernel void k(device float *a [[buffer(0)]], device ulong *b [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  float x = a[i];
  x += simd_shuffle_up(x, 3);
  x += simd_shuffle_down(x, 5);
  x += simd_shuffle_xor(x, 6);
  a[i] = x;
}]=]
  local full = text:match "shfl%.sync%.up[^\n]*, 3, 0, %-1;.-shfl%.sync%.down[^\n]*, 5, 31, %-1;.-shfl%.sync%.bfly[^\n]*, 6, 31, %-1;"
  t.ok(full, "three, in this order")
  t.equal(count(full, "shfl"), 3, "instructions that exchange values")
  t.equal(count(full, "selp"), 0, "choices between values")
  -- the same answers, full or not: distances that leave the SIMD-group, too
  local source = [=[
kernel void k(device uint *out [[buffer(0)]], constant uint &by [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  ulong wide = (ulong(i + 1) << 32) | (i + 7);
  out[6 * i] = simd_shuffle_up(i + 1, ushort(by));
  out[6 * i + 1] = simd_shuffle_down(i + 1, ushort(by));
  out[6 * i + 2] = simd_shuffle_xor(i + 1, ushort(by));
  out[6 * i + 3] = uint(simd_shuffle_up(wide, ushort(by)) >> 32);
  out[6 * i + 4] = uint(simd_shuffle_down(wide, ushort(by)) >> 32);
  out[6 * i + 5] = uint(simd_shuffle_xor(wide, ushort(by)) >> 32);
}]=]
  local k = gpu.library(HEAD .. source):kernel "k"
  for _, threads in ipairs { 64, 45 } do
    for _, by in ipairs { 0, 1, 7, 31, 32, 40 } do
      local out = gpu.buffer("uint", 6 * threads)
      k { out, by, grid = threads, group = threads }
      for i = 0, threads - 1 do
        local lane, first = i % 32, i // 32 * 32
        local function at(from, beyond) -- none: an inactive lane gives 0
          if from < 0 or from > 31 or by > 31 then return beyond end
          return first + from < threads and first + from + 1 or 0
        end
        local wanted = { at(lane - by, i + 1), at(lane + by, i + 1),
          at(lane ~ by, 0) }
        for n = 0, 5 do
          t.equal(out[6 * i + n], wanted[n % 3 + 1],
            ("%d threads, thread %d, by %d, result %d"):format(threads, i, by,
              n))
        end
      end
    end
  end
end)

-- x1 y, x2 y, x3 y, y x1 and y', transposed in memory, for small whole numbers,
-- which are exact
local PRODUCTS = HEAD .. [=[
kernel void k(device const %s *a [[buffer(0)]], device const %s *b [[buffer(1)]], device float *c [[buffer(2)]]) {
  simdgroup_matrix<%s, 8, 8> x[3], y, turned;
  simdgroup_float8x8 s[5];
  for (int i = 0; i < 5; i++) s[i] = make_filled_simdgroup_matrix<float, 8, 8>(float(i));
  for (int i = 0; i < 3; i++) simdgroup_load(x[i], a + 64 * i, 8);
  simdgroup_load(y, b, 8);
  simdgroup_load(turned, b, 8, ulong2(0), true);
  for (int i = 0; i < 3; i++) simdgroup_multiply_accumulate(s[i], x[i], %s, s[i]);
  simdgroup_multiply_accumulate(s[3], y, x[0], s[3]);
  simdgroup_multiply_accumulate(s[4], x[1], turned, s[4]);
  for (int i = 0; i < 5; i++) simdgroup_store(s[i], c + 64 * i, 8, ulong2(0), i == 2);
}]=]
t.test("products of matrices, as left and right operands, transposed, in any number", function()
  for _, type in ipairs { "float", "half", "bfloat" } do
    for _, right in ipairs { "y", "x[2]" } do
      local a, b, c = gpu.buffer(type, 192), gpu.buffer(type, 64),
        gpu.buffer(320)
      for i = 0, 191 do a[i] = (i * 37) % 17 - 8 end
      for i = 0, 63 do b[i] = (i * 29) % 13 - 6 end
      gpu.kernel(PRODUCTS:format(type, type, type, right)) {
        a, b, c, grid = 32, group = 32 }
      local function x(n)
        return function(r, q) return a[64 * n + 8 * r + q] end
      end
      local function y(r, q) return b[8 * r + q] end
      local function turned(r, q) return b[8 * q + r] end
      local other = right == "y" and y or x(2)
      for n, two in ipairs { { x(0), other }, { x(1), other }, { x(2), other },
        { y, x(0) }, { x(1), turned } } do
        for r = 0, 7 do
          for q = 0, 7 do
            local sum = n - 1
            for k = 0, 7 do sum = sum + two[1](r, k) * two[2](k, q) end
            local at = 64 * (n - 1) + (n == 3 and 8 * q + r or 8 * r + q)
            t.equal(c[at], sum, ("%s, %s, product %d, (%d, %d)"):format(type, right, n, r, q))
          end
        end
      end
    end
  end
end)

t.test("lanes reconverge before a cross-lane call that all run, and not in a branch that some take", function()
  local text = ptx "kernel void k(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) { float x = a[i]; if (x > 0) x = exp(x); a[i] = simd_sum(x); }"
  t.has(text, "bar.warp.sync")
  text = ptx "kernel void k(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) { float x = a[i]; if (x > 0) a[i] = simd_sum(x); }"
  t.equal(count(text, "bar%.warp%.sync"), 0)
end)

-- Parts of 128 halves, of which the next comes while one is multiplied; %s:
-- what else the loop does, and where the second half of a thread's share goes.
local COPIES = [=[
#include <metal_simdgroup_matrix>
kernel void k(device const half *a [[buffer(0)]], device float *c [[buffer(1)]], constant uint &n [[buffer(2)]],
              constant uint &far [[buffer(3)]], uint t [[thread_index_in_threadgroup]]) {
  threadgroup half tile[2][512];
  simdgroup_float8x8 sum = simdgroup_float8x8(0);
  *(threadgroup uint4 *)(tile[0] + 8 * t) = *(device const uint4 *)(a + 8 * t);
  *(threadgroup uint4 *)(tile[0] + 8 * (t + 32)) = *(device const uint4 *)(a + 8 * (t + 32));
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint i = 0; i < n; i++) {
    uint now = i & 1;
    device const half *next = a + (i + 1 < n ? i + 1 : 0) * 512;
    *(threadgroup uint4 *)(tile[1 - now] + 8 * t) = *(device const uint4 *)(next + 8 * t);
    *(threadgroup uint4 *)(tile[1 - now] + 8 * (t + %s)) = *(device const uint4 *)(next + 8 * (t + 32));
    simdgroup_half8x8 x, y;
    simdgroup_load(x, tile[now], 8);
    simdgroup_load(y, tile[now] + 448, 8);
    simdgroup_multiply_accumulate(sum, x, y, sum);
    %s
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  simdgroup_store(sum, c, 8);
}]=]

t.test("parts for matrices are copied to threadgroup memory without waiting", function()
  local source = COPIES:format("32", "")
  local text = ptx(source)
  t.has(text, "cp.async.cg.shared.global")
  t.equal(count(text, "st%.shared"), 0, "all of them")
  t.ok(count(text, "bar%.sync") >= 2)
  t.equal(count(text, "wait_group 0;[^;]*bar%.sync"), count(text, "bar%.sync"), "each barrier is waited for")
  local n = 3
  local a, c = gpu.buffer("half", 512 * n), gpu.buffer(64)
  for i = 0, 512 * n - 1 do a[i] = i * 7 % 13 - 6 end
  gpu.kernel(HEAD .. source) { a, c, n, 32, grid = 32, group = 32 }
  for e = 0, 63 do
    local wanted = 0
    for i = 0, n - 1 do
      for j = 0, 7 do
        wanted = wanted + a[512 * i + e // 8 * 8 + j] * a[512 * i + 448 + 8 * j
          + e % 8]
      end
    end
    t.equal(c[e], wanted)
  end
end)

-- As bench/matmul.metal does, with smaller tiles: four parts of 8 × 64 and 64 ×
-- 64 halves, three of them on their way; %s: where a part's second copy goes,
-- and what comes after the loop.
local PARTS = [=[
#include <metal_simdgroup_matrix>
#define UNROLL _Pragma("unroll")
#define FILL(A, B, AT)                                                                   \
  *(threadgroup uint4 *)(A + 8 * t) = *(device const uint4 *)(a + AT * 16 + 8 * t);       \
  *(threadgroup uint4 *)(A + 8 * (t + 64)) = *(device const uint4 *)(a + AT * 16 + 8 * (t + 64)); \
  UNROLL for (uint i = 0; i < 8; i++)                                                         \
    *(threadgroup uint4 *)(B + 8 * (t + 64 * i)) = *(device const uint4 *)(b + AT * 64 + 8 * (t + 64 * i));
#define BARRIER threadgroup_barrier(mem_flags::mem_threadgroup);
#define PART(N, A, B, X, Y)                                                              \
  {                                                                                      \
    uint later = first + 64 * (N + 3), next = later < k ? later : 0;                     \
    FILL(X, Y, next)                                                                     \
    UNROLL for (uint u = 0; u < 8; u++) {                                                       \
      simdgroup_half8x8 l0, l1, r[4];                                                    \
      simdgroup_load(l0, A + 8 * u, 64);                                                 \
      simdgroup_load(l1, A + 512 + 8 * u, 64);                                           \
      UNROLL for (uint s = 0; s < 4; s++) {                                                    \
        simdgroup_load(r[s], B + 8 * u * 64 + 32 * simd + 8 * s, 64);                    \
        simdgroup_multiply_accumulate(sum[0][s], l0, r[s], sum[0][s]);                   \
        simdgroup_multiply_accumulate(sum[1][s], l1, r[s], sum[1][s]);                   \
      }                                                                                  \
    }                                                                                    \
    BARRIER                                                                              \
  }
// a: k columns of 16 numbers, as 16 rows of 64 for each part; b: k rows of 64
kernel void k(device const half *a [[buffer(0)]], device const half *b [[buffer(1)]],
              device float *c [[buffer(2)]], constant uint &k [[buffer(3)]],
              uint t [[thread_index_in_threadgroup]], uint simd [[simdgroup_index_in_threadgroup]]) {
  threadgroup half a0[1024], a1[1024], a2[1024], a3[1024], b0[4096], b1[4096], b2[4096], b3[4096];
  simdgroup_float8x8 sum[2][4];
  UNROLL for (uint r = 0; r < 2; r++) UNROLL for (uint s = 0; s < 4; s++) sum[r][s] = simdgroup_float8x8(0);
  FILL(a0, b0, 0) BARRIER FILL(a1, b1, 64) BARRIER FILL(a2, b2, 128) BARRIER
  for (uint first = 0; first < k; first += 256) {
    PART(0, a0, b0, a3, b3) PART(1, a1, b1, a0, b0) PART(2, a2, b2, a1, b1) PART(3, a3, b3, a2, b2)
  }
  %s
  UNROLL for (uint r = 0; r < 2; r++) UNROLL for (uint s = 0; s < 4; s++) simdgroup_store(sum[r][s], c + 512 * r + 32 * simd + 8 * s, 64);
}]=]

-- The product of whole numbers is exact; how many elements are wrong.
local function wrong_parts(source, k)
  local a, b, c = gpu.buffer("half", 16 * k), gpu.buffer("half", 64 * k),
    gpu.buffer(1024)
  for i = 0, 16 * k - 1 do a[i] = i * 7 % 5 - 2 end
  for i = 0, 64 * k - 1 do b[i] = i * 11 % 7 - 3 end
  gpu.kernel(source, "k") { a, b, c, k, grid = 64, group = 64 }
  local wrong = 0
  for e = 0, 1023, 37 do
    local row, column, sum = e // 64, e % 64, 0
    for j = 0, k - 1 do
      sum = sum + a[j // 64 * 1024 + row * 64 + j % 64] * b[64 * j + column]
    end
    if c[e] ~= sum then wrong = wrong + 1 end
  end
  return wrong
end

t.test("copies are under way across barriers, while nobody reads their variable", function()
  local source = PARTS:format "BARRIER"
  local text = ptx(source)
  t.equal(count(text, "st%.shared"), 0, "all of them are copies")
  t.equal(count(text, "wait_group 2;[^;]*bar%.sync"), 5, "the loop's four, and the one before it")
  t.equal(wrong_parts(HEAD .. source, 512), 0)
  -- c may be what is copied from, so without the last barrier nothing is left
  -- open
  text = ptx((PARTS:format ""))
  t.equal(count(text, "wait_group 0;[^;]*bar%.sync"), 2, "the loop's last, and the one before it: k may be 0")
  t.equal(wrong_parts(HEAD .. PARTS:format "", 512), 0)
end)

t.test("rows of matrices in the same banks change places with their row", function()
  local source = PARTS:format "BARRIER"
  t.ok(count(ptx(source), "xor%.b32") > 0)
  -- a variable that another thread reads stays as it is
  local read = PARTS:format "BARRIER c[2048 + t] = a0[t] + b0[t] + a1[t] + b1[t] + a2[t] + b2[t] + a3[t] + b3[t];"
  t.equal(count(ptx(read), "xor%.b32"), 0)
end)

-- W numbers in a row: 2 W bytes. One SIMD-group, 16 rows of a, W columns of b.
local ROWS = [=[
#include <metal_simdgroup_matrix>
#define UNROLL _Pragma("unroll")
#define W %d
#define FILL(TO, FROM, COUNT)                                                            \
  UNROLL for (uint i = 0; i < COUNT / 256; i++)                                          \
    *(threadgroup uint4 *)(TO + 8 * (t + 32 * i)) = *(device const uint4 *)(FROM + first * COUNT / W + 8 * (t + 32 * i));
kernel void k(device const half *a [[buffer(0)]], device const half *b [[buffer(1)]],
              device float *c [[buffer(2)]], constant uint &k [[buffer(3)]],
              uint t [[thread_index_in_threadgroup]]) {
  threadgroup half left[16 * W], right[W * W];
  simdgroup_float8x8 sum[2][W / 8];
  UNROLL for (uint r = 0; r < 2; r++) UNROLL for (uint s = 0; s < W / 8; s++) sum[r][s] = simdgroup_float8x8(0);
  for (uint first = 0; first < k; first += W) {
    FILL(left, a, 16 * W)
    FILL(right, b, W * W)
    threadgroup_barrier(mem_flags::mem_threadgroup);
    UNROLL for (uint u = 0; u < W / 8; u++) {
      simdgroup_half8x8 l0, l1, r;
      simdgroup_load(l0, left + 8 * u, W);
      simdgroup_load(l1, left + 8 * W + 8 * u, W);
      UNROLL for (uint s = 0; s < W / 8; s++) {
        simdgroup_load(r, right + 8 * u * W + 8 * s, W);
        simdgroup_multiply_accumulate(sum[0][s], l0, r, sum[0][s]);
        simdgroup_multiply_accumulate(sum[1][s], l1, r, sum[1][s]);
      }
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  UNROLL for (uint r = 0; r < 2; r++) UNROLL for (uint s = 0; s < W / 8; s++) simdgroup_store(sum[r][s], c + 8 * r * W + 8 * s, W);
}]=]

t.test("so do rows of 64 and of 32 bytes, of which some are in the same banks", function()
  for _, w in ipairs { 16, 32, 64 } do
    local source, k = ROWS:format(w), 192
    local text = ptx(source)
    t.equal(count(text, "st%.shared"), 0, "all of them are copies")
    t.ok(count(text, "xor%.b32") > 0, "rows of " .. 2 * w .. " bytes")
    local a, b, c = gpu.buffer("half", 16 * k), gpu.buffer("half", w * k),
      gpu.buffer(16 * w)
    for i = 0, 16 * k - 1 do a[i] = i * 7 % 5 - 2 end
    for i = 0, w * k - 1 do b[i] = i * 11 % 7 - 3 end
    gpu.kernel(HEAD .. source, "k") { a, b, c, k, grid = 32, group = 32 }
    for e = 0, 16 * w - 1 do
      local row, column, sum = e // w, e % w, 0
      for j = 0, k - 1 do
        sum = sum + a[j // w * 16 * w + row * w + j % w] * b[w * j + column]
      end
      if c[e] ~= sum then t.equal(c[e], sum, ("rows of %d bytes, element %d"):format(2 * w, e)) end
    end
  end
end)

t.test("a loop leaves its sums to the tensor cores, for 2048 products, then 4096", function()
  local source = PARTS:format "BARRIER"
  local text = ptx(source)
  local loop = text:match "mma%.sync.*mma%.sync"
  t.equal(count(loop, "add%.rn%.f32"), 0, "no additions between them")
  t.ok(count(text, "ld%.local") > 0, "totals")
  for _, k in ipairs { 256, 2048, 2304, 4352, 6400, 10496 } do
    t.equal(wrong_parts(HEAD .. source, k), 0, "k = " .. k)
  end
end)

t.test("totals lie as a product's four numbers do, whatever order the matrices have", function()
  for _, order in ipairs { "[2][4]", "[4][2]" } do
    local source = PARTS:format "BARRIER"
    if order == "[4][2]" then -- sums of a pair are far apart in the kernel
      source = source:gsub("sum%[2%]%[4%]", "sum[4][2]")
        :gsub("sum%[([01])%]%[s%]", "sum[s][%1]")
          :gsub("sum%[r%]%[s%]", "sum[s][r]")
    end
    local text = ptx(source)
    local made, put, last = {}, 0, ""
    for four in text:gmatch "mma%.sync%S+ {([^}]*)}" do made[(four:gsub("%s", ""))] = true end
    for at, two in text:gmatch "st%.local%.v2%S*%s+%[%%rd%d+%+?(%d*)%], {([^}]*)}" do
      two = two:gsub("%s", "")
      if (tonumber(at) or 0) % 16 == 8 and made[last .. "," .. two] then
        put = put + 1
      end
      last = two
    end
    t.equal(put, 4, order .. ": what a product gave is stored as it is")
    local accesses = ""
    for c in text:gmatch "([ls])[dt]%.local" do accesses = accesses .. c end
    t.equal(accesses:gsub("ll", ""):gsub("ss", ""), "", order .. ": no store between two loads that can be one")
  end
end)

t.test("copies stay loads and stores beside other accesses, and where two may meet", function()
  local function stay(far, other, why)
    local text = ptx(COPIES:format(far, other))
    t.equal(count(text, "cp%.async%.cg"), 2, "the first part, before the loop")
    t.ok(count(text, "st%.shared%.v4") >= 2, why)
  end
  stay("32", "c[t] = tile[now][t];", "a load of the same memory")
  stay("32", "tile[now][t] = 1;", "a store")
  stay("32", "c[64 + t] = i;", "a store to memory that may be what is copied")
  stay("far", "", "perhaps the same place")
end)

t.test("an element of a buffer, or of a constant", function()
  local a, out = gpu.buffer("uint", { 5, 6, 7, 8 }), gpu.buffer("uint", 4)
  gpu.kernel(HEAD .. "constant uint table[4] = {1, 2, 3, 4};\nkernel void k(device const uint *a [[buffer(0)]], device uint *o [[buffer(1)]], uint i [[thread_position_in_grid]]) { o[i] = i >= 2 ? a[i] : table[i & 3]; }") { a, out, grid = 4 }
  t.ok(out:equals { 1, 2, 7, 8 })
end)

t.test("constants with vectors of three lie where they should", function()
  local out = gpu.buffer(9)
  local k = gpu.kernel(HEAD .. "constant float3 table[3] = {float3(1, 2, 3), float3(4, 5, 6), float3(7, 8, 9)};\nkernel void k(device float *o [[buffer(0)]], uint i [[thread_position_in_grid]]) { o[i] = table[i / 3][i % 3]; }")
  k { out, grid = 9 }
  t.ok(out:equals { 1, 2, 3, 4, 5, 6, 7, 8, 9 })
end)

t.test("the listing's own sentences are comments", function()
  local text = gpu.kernel("kernel void k(device float *a [[buffer(0)]]) { a[0] = 1; }"):asm()
  t.has(text, "\n// registers of a thread")
end)

t.test("a limit on the size of files, as lessons are checked under", function()
  local pipe = io.popen(("'%s' lesson check lessons/02-buffers 2>&1"):format(os.getenv "METTLE" or "build/mettle"))
  t.has(pipe:read "a", "02-buffers: good")
  pipe:close()
  -- memory is no file: more of it than a file may have
  pipe = io.popen(("ulimit -S -f 262144; '%s' -e 'b = gpu.buffer(1e8) b[99999999] = 7 print(b:sum())' 2>&1"):format(os.getenv "METTLE" or "build/mettle"))
  t.has(pipe:read "a", "7")
  pipe:close()
end)

t.test("code of strangers has the GPU, whose driver does not start where it may not write", function()
  local pipe = io.popen(([=['%s' -e 'require("lua.session.sandbox").confine(".", nil, "this notebook")
    local k = gpu.kernel "kernel void k(device float *a [[buffer(0)]]) { a[0] = 7; }"
    local a = gpu.buffer(1) k{a, grid = 1} print(a[0])' 2>&1]=]):format(os.getenv "METTLE" or "build/mettle"))
  t.equal(pipe:read "a", "7.0\n")
  pipe:close()
end)

t.done()
