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
    library = { device = gpu.device.name, slope = lib:kernel "slope",
      smooth = lib:kernel "smooth", combine = lib:kernel "combine",
      add = lib:kernel "add" }
  end
  return library
end

local function buffers(n)
  local b = { x = gpu.buffer(n):random(n) }
  for name in ("s m e t out"):gmatch "%a+" do
    b[name] = gpu.buffer(n):fill(99)
  end
  return b
end

local function wanted(x, n)
  local m, out = {}, {}
  for i = 0, n - 1 do
    m[i] = (x[math.max(i - 1, 0)] + x[i] + x[math.min(i + 1, n - 1)]) / 3
  end
  for i = 0, n - 1 do
    local s, t =
      i + 1 < n and x[i + 1] - x[i] or 0, i + 1 < n and m[i + 1] - m[i] or 0
    out[i] = s * s + m[i] + t
  end
  return out
end

-- Runs f in a concurrent encoder; how many barriers ordered its launches.
local function barriers_of(f, b, n)
  local ok, r = pcall(gpu.commands, function()
    f(kernels(), b, n)
  end, { concurrent = true })
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
  local found = check { function()
    f(kernels(), buffers(n), n)
  end, concurrent = true }
  if not found.ok then return ("the answer is right, but not safe. %s: %s"):format(found[1].kind, found[1].message) end
  if barriers > 2 then
    return ("it is right and safe, with %d barriers; two are enough: which one only protects memory that is used again?"):format(barriers)
  end
end

-- Whether b.out is what x demands; a sentence if not.
local function compare_out(b, x, n)
  local out = wanted(x, n)
  for i = 0, n - 1 do
    if not (math.abs(b.out[i] - out[i]) < 1e-4) then
      return ("for n = %d: out[%d] is %g, expected %g"):format(n, i, b.out[i], out[i])
    end
    if b.x[i] ~= x[i] then return ("for n = %d: x[%d] was changed"):format(n, i) end
  end
end

local function judge_two(env)
  if type(env.work) ~= "function" then return false, "there is no function work" end
  local score = 0
  for _, n in ipairs { 1, 3, 100 } do
    local a, b = buffers(n), buffers(n)
    local x, z = a.x:copy(), b.x:random(n + 1):copy()
    local function both() env.work(kernels(), a, b, n) end
    local ok, r = pcall(gpu.commands, both, { concurrent = true })
    if not ok then return false, (tostring(r):gsub("^%S+:%d+: ", "")) end
    local why = compare_out(a, x, n) or compare_out(b, z, n)
    if why then return false, why end
    local found = check { both, concurrent = true }
    if not found.ok then
      return false, ("the answer is right, but not safe. %s: %s"):format(found[1].kind, found[1].message)
    end
    score = r.phase[#r.phase] - 1
  end
  return true, "Right, and no races between the launches.", score
end

local function judge_few(env)
  if type(env.work) ~= "function" then return false, "there is no function work" end
  local made
  for _, n in ipairs { 1, 3, 100 } do
    made = 0
    local function make(all, name)
      made = made + 1
      all[name] = gpu.buffer(n):fill(99)
      return all[name]
    end
    local b = setmetatable({ x = gpu.buffer(n):random(n),
      out = gpu.buffer(n):fill(99) }, { __index = make })
    local x = b.x:copy()
    local ok, why =
      pcall(gpu.commands, function() env.work(kernels(), b, n) end)
    if not ok then return false, (tostring(why):gsub("^%S+:%d+: ", "")) end
    why = compare_out(b, x, n)
    if why then return false, why end
  end
  return true, "Right.", made
end

return {
  title = "Command buffers: several kernels in one", part = 4, minutes = 20,
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
  challenges = {
    { name = "one-kernel", title = "All five in one",
      task = "What the five launches of `work` compute can be had from x alone. `energy` does it in one launch: out[i] = s[i]² + m[i] + (m[i + 1] - m[i]), at the end without the bracket. Fewer reads.",
      score = { profile = "device_reads", per = "busiest thread", size = { n = 512 }, say = "Look at the sum once more: what becomes of m[i]?" },
      kernel = "energy",
      arguments = function(s, make)
        return { x = make.random(s.n), out = make.out("float", s.n), n = s.n }
      end,
      outputs = { "out" },
      launch = function(s) return { grid = s.n, group = 64 } end,
      reference = function(s, arg, out)
        local list = wanted(arg.x, s.n)
        for i = 0, s.n - 1 do out.out[i] = list[i] end
      end,
      tolerance = 1e-5,
      cases = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 65 }, { n = 200 } },
      wrong = { "wrong", "out-of-bounds" },
      hints = { "m[i] is added and subtracted: it cancels, except at the end.",
        "Three elements are enough: x[i], x[i + 1] and x[i + 2], each index at most n - 1. At i = n - 1 take m there: x[i - 1] is needed in place of x[i + 2]." } },
    { name = "two-lists", title = "Two lists at once",
      task = "`work(k, a, b, n)` does for two sets of buffers, a and b, what the lesson's `work` did for one, in a concurrent encoder. The start does one after the other. Fewer barriers.",
      score = { counts = "barriers", say = "The two lists share nothing: each barrier can serve both." },
      exercise = judge_two, wrong = "wrong",
      hints = { "Launches of a may stand beside those of b, in any phase.",
        "Phase 1: slope and smooth of both. Phase 2: combine and the second slope of both. Phase 3: add of both." } },
    { name = "few-buffers", title = "As little memory as possible",
      task = "Now the encoder is serial: launches wait for each other. Memory is short instead. `work(k, b, n)` computes b.out from b.x, which must stay as it is; every other name, b.s, b.m …, is a new buffer when it is first used. Use fewer of them.",
      score = { counts = "buffers beside x and out", say = "A buffer is free again once its last reader is through; combine and add may write where they read." },
      exercise = judge_few, wrong = "wrong",
      hints = { "combine reads s[i] and m[i] and writes e[i], of the same thread: e may be s, or out.",
        "After combine no one needs s: the second slope can write there. add may write into out, which it reads." } },
  },
}
