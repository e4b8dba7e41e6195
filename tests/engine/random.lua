-- random.lua - random kernels, run and hashed.
--
--   mettle random.lua SEED COUNT [show]
--
-- Prints one line for each kernel: its seed, how it was launched and a hash of
-- what it wrote. Two ways of running kernels agree if the lines are the same.
-- Each kernel follows from its seed alone: 'random.lua 1234 1 show' prints it.
-- Integers only, so that nothing may differ by rounding.

local first, count, show = tonumber(arg[1]), tonumber(arg[2]), arg[3] == "show"
local PER_LIBRARY = 12

local rnd = math.random
local function pick(t) return t[rnd(#t)] end

local Gen = {}
Gen.__index = Gen

function Gen:var() return pick(self.vars) end

function Gen:index() return ("in[uint(%s) & 1023]"):format(self:expr(1)) end

local OPS = { "+", "-", "*", "&", "|", "^" }
local CMP = { "<", ">", "==", "!=", "<=", ">=" }

function Gen:crosslane(x)
  local k = rnd(16)
  local d = rnd(0, 33)
  if k == 1 then return ("simd_sum(%s)"):format(x) end
  if k == 2 then return ("simd_shuffle_xor(%s, ushort(%d))"):format(x, rnd(1, 31)) end
  if k == 3 then return ("simd_shuffle(%s, ushort(%s & 31))"):format(x, self:expr(1)) end
  if k == 4 then return ("simd_prefix_exclusive_sum(%s)"):format(x) end
  if k == 5 then return ("simd_broadcast_first(%s)"):format(x) end
  if k == 6 then return ("int(ulong(simd_ballot(%s)))"):format(self:cond(1)) end
  if k == 7 then return ("simd_max(%s)"):format(x) end
  if k == 8 then return ("simd_shuffle_up(%s, ushort(%d))"):format(x, d & 31) end
  if k == 9 then return ("simd_shuffle_down(%s, ushort(%s & 31))"):format(x, self:var()) end
  if k == 10 then return ("quad_sum(%s)"):format(x) end
  if k == 11 then return ("quad_shuffle_xor(%s, ushort(%d))"):format(x, rnd(1, 3)) end
  if k == 12 then return ("simd_prefix_inclusive_sum(%s)"):format(x) end
  if k == 13 then return ("simd_broadcast(%s, ushort(%d))"):format(x, d & 31) end
  if k == 14 then return ("simd_shuffle_rotate_down(%s, ushort(%d))"):format(x, d & 31) end
  if k == 15 then return ("simd_min(%s)"):format(x) end
  return ("simd_xor(%s)"):format(x)
end

function Gen:expr(depth)
  local k = depth <= 0 and rnd(3) or rnd(14)
  if k <= 2 then return self:var() end
  if k == 3 then return tostring(rnd(-9, 40)) end
  if k <= 8 then
    return ("(%s %s %s)"):format(self:expr(depth - 1), pick(OPS), self:expr(depth - 1))
  end
  if k == 9 then return ("(%s >> %d)"):format(self:expr(depth - 1), rnd(1, 7)) end
  if k == 10 then
    return ("(%s ? %s : %s)"):format(self:cond(depth - 1), self:expr(depth - 1), self:expr(depth - 1))
  end
  if k == 11 then return self:index() end
  if k == 12 and self.array then return ("arr[%s & 7]"):format(self:expr(depth - 1)) end
  if k == 13 then return ("(%s %s ((%s & 15) + 1))"):format(self:expr(depth - 1), pick { "/", "%" }, self:expr(depth - 1)) end
  return ("max(%s, %s)"):format(self:expr(depth - 1), self:expr(depth - 1))
end

function Gen:cond(depth)
  local c = ("%s %s %s"):format(self:expr(depth), pick(CMP), self:expr(depth))
  local k = rnd(6)
  if k == 1 then return ("(%s && %s)"):format(c, self:cond(depth - 1)) end
  if k == 2 then return ("(%s || %s)"):format(c, self:cond(depth - 1)) end
  return "(" .. c .. ")"
end

function Gen:emit(fmt, ...)
  self.out[#self.out + 1] = ("  "):rep(self.depth) .. fmt:format(...)
end

function Gen:block(n, level, loop)
  n = math.min(n, 2)
  self.depth = self.depth + 1
  for _ = 1, n do self:statement(level, loop) end
  self.depth = self.depth - 1
end

function Gen:loop(level)
  self.loops = self.loops + 1
  local j = "j" .. self.loops
  if rnd(4) == 1 then
    self:emit("for (int %s = int(i); %s < int(i) + 70; %s += %d) {", j, j, j, rnd(16, 40))
  else
    self:emit("for (int %s = 0; %s < (%s & %d); %s++) {", j, j, self:expr(1), rnd(3, 7), j)
  end
  table.insert(self.vars, j)
  self:block(rnd(3), level - 1, true)
  table.remove(self.vars)
  self:emit("}")
end

function Gen:switch(level, loop)
  self:emit("switch (%s & 7) {", self:expr(1))
  for k = 0, rnd(2, 5) do
    self:emit("case %d:", k)
    self:block(rnd(2), level - 1, loop)
    if rnd(3) > 1 then self:emit("  break;") end
  end
  self:emit("default:")
  self:block(1, level - 1, loop)
  self:emit("}")
end

-- Never the counter of a loop.
function Gen:target() return self.vars[rnd(5)] end

function Gen:statement(level, loop)
  local k = level <= 0 and rnd(6) or rnd(13)
  if k <= 4 then
    self:emit("%s %s %s;", self:target(), pick { "=", "+=", "^=", "=" }, self:expr(2))
  elseif k == 5 and self.array then
    self:emit("arr[%s & 7] = %s;", self:expr(1), self:expr(1))
  elseif k == 6 then
    if self.lanes and rnd(2) == 1 then
      self:emit("%s ^= %s;", self:target(), self:crosslane(self:var()))
    elseif rnd(3) == 1 then
      self:emit("atomic_fetch_%s_explicit(&hist[%s & 15], %s, memory_order_relaxed);",
        pick { "add", "xor", "max" }, self:expr(1), self:var())
      -- max and the rest do not commute: one kind for each kernel
      self.out[#self.out] = self.out[#self.out]:gsub("fetch_%a+_", "fetch_" .. self.atomic .. "_")
    else
      self:emit("out[i] ^= %s;", self:expr(1))
    end
  elseif k <= 8 then
    self:emit("if (%s) {", self:cond(1))
    self:block(rnd(3), level - 1, loop)
    if rnd(2) == 1 then
      self:emit("} else {")
      self:block(rnd(3), level - 1, loop)
    end
    self:emit("}")
  elseif k <= 10 then
    self:loop(level)
  elseif k == 11 and loop then
    self:emit("if (%s) %s;", self:cond(1), pick { "break", "continue" })
  elseif k == 12 and self.returns then
    self:emit("if (%s) { out[i] += %s; return; }", self:cond(1), self:var())
  else
    self:switch(level, loop)
  end
end

-- All threads come here.
function Gen:exchange()
  local v = self:target()
  self:emit("sh[l] = %s;", v)
  self:emit("threadgroup_barrier(mem_flags::mem_threadgroup);")
  self:emit("%s += sh[(l + %d) %% size];", v, rnd(1, 70))
  if rnd(2) == 1 then self:emit("%s ^= sh[l ^ (l + 1 < size ? 1 : 0) & (size > 1 ? 1 : 0)];", self:target()) end
  self:emit("threadgroup_barrier(mem_flags::mem_threadgroup);")
end

local HEAD = [=[
kernel void k%d(device const int *in [[buffer(0)]], device int *out [[buffer(1)]],
    device atomic_int *hist [[buffer(2)]], constant int &n [[buffer(3)]],
    uint i [[thread_position_in_grid]], uint l [[thread_index_in_threadgroup]],
    uint size [[threads_per_threadgroup]], uint lane [[thread_index_in_simdgroup]]) {
  threadgroup int sh[1024];
  int a = in[i & 1023], b = int(i), c = int(l) * 3, d = int(lane), e = n;
]=]

local function kernel(seed)
  math.randomseed(seed)
  local g = setmetatable({ out = {}, depth = 1, loops = 0,
    vars = { "a", "b", "c", "d", "e" } }, Gen)
  g.atomic = pick { "add", "xor", "max" }
  g.lanes, g.array = rnd(2) == 1, rnd(3) == 1
  g.out[1] = HEAD:gsub("%%d", tostring(seed))
  if g.array then g:emit("int arr[8]; for (int j = 0; j < 8; j++) arr[j] = a * j;") end
  local barriers = rnd(3) == 1
  for _ = 1, rnd(2, 4) do
    if barriers then g:exchange() end
    if barriers and rnd(3) == 1 then
      g.loops = g.loops + 1
      g:emit("for (int u%d = 0; u%d < (n & 3) + 1; u%d++) {", g.loops, g.loops, g.loops)
      g.depth = g.depth + 1
      g:statement(2, false)
      g:exchange()
      g.depth = g.depth - 1
      g:emit("}")
    end
    g:statement(2, false)
  end
  g.returns = true
  for _ = 1, rnd(1, 3) do g:statement(2, false) end
  g:emit("out[i] += a ^ b * 3 ^ c * 5 ^ d * 7 ^ e * 11;")
  g.out[#g.out + 1] = "}"
  return table.concat(g.out, "\n")
end

local SIZES = { 1, 2, 31, 32, 33, 64, 100, 256, 1000, 1024 }

local input = gpu.buffer("int", 1024):fill(function(i) return (i * 7919 + 13) % 211 - 50 end)
local output, hist = gpu.buffer("int", 4096), gpu.buffer("int", 16)

local function hash(b, h)
  for i = 0, #b - 1 do h = (h * 31 + b[i]) & 0xFFFFFFFFFFFF end
  return h
end

for at = first, first + count - 1, PER_LIBRARY do
  local last = math.min(at + PER_LIBRARY, first + count) - 1
  local text = { "#include <metal_stdlib>\nusing namespace metal;" }
  for seed = at, last do text[#text + 1] = kernel(seed) end
  local source = table.concat(text, "\n")
  if show then print(source) end
  local lib, message = gpu.library(source)
  if not lib then print(source) error(message) end
  for seed = at, last do
    math.randomseed(seed * 77 + 5)
    local size, grid = pick(SIZES), rnd(1, 1500)
    output:fill(0) hist:fill(0)
    local ok, message = pcall(lib["k" .. seed], { input, output, hist, seed % 5, grid = grid, group = size })
    local h = hash(hist, hash(output, 7))
    print(("%d grid %d group %d: %s"):format(seed, grid, size, ok and ("%012x"):format(h) or message))
  end
end
