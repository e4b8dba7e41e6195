local source = [=[
kernel void slope(device const float *x, device float *s,
    uint i [[thread_position_in_grid]], uint n [[threads_per_grid]]) {
  s[i] = i + 1 < n ? x[i + 1] - x[i] : 0;
}
kernel void smooth(device const float *x, device float *m,
    uint i [[thread_position_in_grid]], uint n [[threads_per_grid]]) {
  m[i] = (x[i > 0 ? i - 1 : 0] + x[i] + x[i + 1 < n ? i + 1 : i]) / 3;
}
kernel void combine(device const float *s, device const float *m,
    device float *e, uint i [[thread_position_in_grid]]) {
  e[i] = s[i] * s[i] + m[i];
}
kernel void add(device const float *a, device const float *b,
    device float *sum, uint i [[thread_position_in_grid]]) {
  sum[i] = a[i] + b[i];
}]=]

local library
local function kernels()
  if not library or library.device ~= gpu.device.name then
    local lib = gpu.library(source)
    library = { device = gpu.device.name, slope = lib:kernel "slope", smooth = lib:kernel "smooth",
      combine = lib:kernel "combine", add = lib:kernel "add" }
  end
  return library
end

local function buffers(n)
  local b = { x = gpu.buffer(n):random(n) }
  for name in ("s m e t out"):gmatch "%a+" do b[name] = gpu.buffer(n):fill(99) end
  return b
end

local function wanted(x, n)
  local m, out = {}, {}
  for i = 0, n - 1 do m[i] = (x[math.max(i - 1, 0)] + x[i] + x[math.min(i + 1, n - 1)]) / 3 end
  for i = 0, n - 1 do
    local s, t = i + 1 < n and x[i + 1] - x[i] or 0, i + 1 < n and m[i + 1] - m[i] or 0
    out[i] = s * s + m[i] + t
  end
  return out
end

-- Runs f in a concurrent encoder; how many barriers ordered its launches.
local function barriers_of(f, b, n)
  local ok, r = pcall(gpu.commands, function() f(kernels(), b, n) end, { concurrent = true })
  if not ok then return nil, (tostring(r):gsub("^%S+:%d+: ", "")) end
  return r.phase[#r.phase] - 1
end

local function try(f, n)
  local b = buffers(n)
  local x = b.x:copy()
  local barriers, why = barriers_of(f, b, n)
  if not barriers then return ("for n = %d: %s"):format(n, why) end
  local out = wanted(x, n)
  for i = 0, n - 1 do
    if not (math.abs(b.out[i] - out[i]) < 1e-4) then
      return ("for n = %d: out[%d] is %g, expected %g"):format(n, i, b.out[i], out[i])
    end
  end
  local found = check { function() f(kernels(), buffers(n), n) end, concurrent = true }
  if not found.ok then return ("the answer is right, but not safe. %s: %s"):format(found[1].kind, found[1].message) end
  if barriers > 2 then
    return ("it is right and safe, with %d barriers; two are enough: which one only protects memory that is used again?"):format(barriers)
  end
end

return {
  title = "Several kernels in one command buffer", part = 4, minutes = 20,
  task = "Make `work` right in a concurrent encoder, with two barriers.",
  exercise = function(env)
    if type(env.work) ~= "function" then return false, "there is no function work" end
    for _, n in ipairs { 1, 2, 3, 100 } do
      local why = try(env.work, n)
      if why then return false, why end
    end
    return true, "Right: no races between the launches, and two barriers."
  end,
  start_fails = "wrong",
  wrong = { ["barriers-everywhere"] = "wrong", ["overwrites-what-is-read"] = "wrong", ["one-barrier-at-the-end"] = "wrong",
    ["slope-of-x-twice"] = "wrong", ["reads-in-between"] = "wrong", ["three-phases-too-many"] = "wrong" },
  hints = {
    "Write down for each launch what it reads and what it writes. A barrier is needed where one writes what another touches.",
    "The first slope and smooth need none between them. combine needs both, so a barrier comes before it.",
    "The second slope reads m, which is there, but writes s, which combine reads. With b.t in place of b.s it may run beside combine.",
    "Two barriers: before combine and the second slope, and before add. And add reads b.t then.",
  },
}
