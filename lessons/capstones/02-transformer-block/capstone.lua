-- The block in numbers of Lua, which are doubles. A matrix is a table from 0 on
-- with rows and columns.
local function of(b)
  local t = { rows = b.shape[1], columns = b.shape[2] or 1 }
  for i = 0, #b - 1 do t[i] = b[i] end
  return t
end

local function normal(x, gain, shift)
  local y, D = { rows = x.rows, columns = x.columns }, x.columns
  for r = 0, x.rows - 1 do
    local mean, squares = 0, 0
    for i = 0, D - 1 do mean = mean + x[r * D + i] / D end
    for i = 0, D - 1 do squares = squares + (x[r * D + i] - mean) ^ 2 / D end
    for i = 0, D - 1 do
      y[r * D + i] = gain[i] * (x[r * D + i] - mean) / math.sqrt(squares + 1e-5)
        + shift[i]
    end
  end
  return y
end

local function tanh(v)
  local e = math.exp(-2 * math.abs(v))
  return (v < 0 and -1 or 1) * (1 - e) / (1 + e)
end

local function gelu(v)
  return 0.5 * v * (1 + tanh(math.sqrt(2 / math.pi) * (v + 0.044715 * v ^ 3)))
end

local function linear(x, w, b, bend)
  local D, O = x.columns, w.columns
  local y = { rows = x.rows, columns = O }
  for r = 0, x.rows - 1 do
    for o = 0, O - 1 do
      local sum = b[o]
      for i = 0, D - 1 do sum = sum + x[r * D + i] * w[i * O + o] end
      y[r * O + o] = bend and gelu(sum) or sum
    end
  end
  return y
end

local function attend(q, k)
  local T, D = q.rows, q.columns
  local a = { rows = T, columns = T }
  for i = 0, T - 1 do
    local largest, sum = -math.huge, 0
    for j = 0, T - 1 do
      local dot = 0
      for c = 0, D - 1 do dot = dot + q[i * D + c] * k[j * D + c] end
      a[i * T + j] = dot / math.sqrt(D)
      largest = math.max(largest, a[i * T + j])
    end
    for j = 0, T - 1 do
      a[i * T + j] = math.exp(a[i * T + j] - largest)
      sum = sum + a[i * T + j]
    end
    for j = 0, T - 1 do a[i * T + j] = a[i * T + j] / sum end
  end
  return a
end

local function mixed(a, v)
  local T, D = a.rows, v.columns
  local y = { rows = T, columns = D }
  for i = 0, T - 1 do
    for c = 0, D - 1 do
      local sum = 0
      for j = 0, T - 1 do sum = sum + a[i * T + j] * v[j * D + c] end
      y[i * D + c] = sum
    end
  end
  return y
end

local function plus(a, b)
  local y = { rows = a.rows, columns = a.columns }
  for i = 0, a.rows * a.columns - 1 do y[i] = a[i] + b[i] end
  return y
end

local function block(x, W)
  local n = normal(x, W.gain1, W.shift1)
  local a = mixed(attend(linear(n, W.q, W.bq), linear(n, W.k, W.bk)),
    linear(n, W.v, W.bv))
  x = plus(x, linear(a, W.o, W.bo))
  n = normal(x, W.gain2, W.shift2)
  return plus(x, linear(linear(n, W.up, W.bup, true), W.down, W.bdown))
end

local function weights(D, seed)
  local W = {}
  local function matrix(name, rows, columns)
    seed = seed + 1
    W[name] = gpu.buffer(rows, columns):random(seed, -0.6, 0.6)
  end
  local function vector(name, n, middle)
    seed = seed + 1
    W[name] = gpu.buffer(n):random(seed, middle - 0.3, middle + 0.3)
  end
  for _, name in ipairs { "q", "k", "v", "o" } do
    matrix(name, D, D)
    vector("b" .. name, D, 0)
  end
  matrix("up", D, 4 * D) vector("bup", 4 * D, 0)
  matrix("down", 4 * D, D) vector("bdown", D, 0)
  vector("gain1", D, 1) vector("shift1", D, 0)
  vector("gain2", D, 1) vector("shift2", D, 0)
  return W
end

local function judge_block(env)
  if type(env.block) ~= "function" then
    return false, "there is no function block(x, W)"
  end
  for _, size in ipairs { { 1, 4 }, { 5, 8 }, { 9, 12 } } do
    local T, D = size[1], size[2]
    local x, W = gpu.buffer(T, D):random(T, -1, 1), weights(D, 10 * T)
    local ours = {}
    for name, b in pairs(W) do ours[name] = of(b) end
    local before, expected = x:copy(), block(of(x), ours)
    local y = env.block(x, W)
    local where = ("%d words of width %d"):format(T, D)
    if not x:equals(before) then
      return false, where .. ": block changed its input x"
    end
    local ok, n = pcall(function() return #y end)
    if not ok or n ~= T * D then
      return false, where .. ": block must return a buffer of x's shape"
    end
    for i = 0, n - 1 do
      if not (math.abs(y[i] - expected[i]) <= 1e-3) then
        return false, ("%s: word %d, column %d is %g, and in double %g"):format(
          where, i // D, i % D, y[i], expected[i])
      end
    end
  end
  return true, "Right: the block agrees with doubles, for three sizes."
end

local cases = { { words = 1, width = 1 }, { words = 2, width = 3 },
  { words = 5, width = 8 }, { words = 7, width = 33 } }

return {
  title = "A transformer block", part = 1, minutes = 120,
  tasks = {
    { name = "normalise", title = "Layer norm", kernel = "normalise",
      task = "Write `normalise`: each row gets mean 0 and variance 1, then a gain and a shift.",
      arguments = function(s, make)
        local x = make.random(s.words, s.width, s.low or -2, s.high or 3)
        if s.same then for i = 0, s.width - 1 do x[i] = 2 end end
        return { x = x, gain = make.random(s.width),
          shift = make.random(s.width), y = make.out("float", s.words, s.width),
          width = s.width }
      end,
      outputs = { "y" },
      launch = function(s) return { groups = s.words, group = 32 } end,
      reference = function(s, arg, out)
        local y = normal(of(arg.x), arg.gain, arg.shift)
        for i = 0, s.words * s.width - 1 do out.y[i] = y[i] end
      end,
      tolerance = 1e-3, strays = 0,
      cases = { { words = 1, width = 2 }, { words = 2, width = 4, same = true },
        cases[2], cases[3], cases[4], { words = 3, width = 70 } },
      targets = { { profile = "issued", per = "busiest thread", of_solution = 3,
        size = { words = 4, width = 256 },
        say = "Each lane takes every 32nd number of the row; simd_sum joins what they found." } },
      start_fails = "wrong",
      wrong = { ["mean-of-the-lane"] = "wrong",
        ["mean-not-taken-off"] = "wrong", ["variance-not-its-root"] = "wrong",
        ["nothing-added"] = "wrong", ["one-lane"] = "target" },
      hints = { "Three loops over the row, each `for (uint i = lane; i < width; i += 32)`: the sum, the squares, the result.",
        "`simd_sum` gives all lanes the sum of what they have: mean = simd_sum(sum) / width.",
        "The variance is the mean of (in[i] - mean)²; multiply by `rsqrt(variance + 1e-5f)`, so that a row of equal numbers divides by no zero." } },
    { name = "attention", title = "Attention", kernel = "attend",
      kernels = { "attend", "mix_values" },
      task = "Write `attend` and `mix_values`.",
      arguments = function(s, make)
        return { q = make.random(s.words, s.width, -2, 2),
          k = make.random(s.words, s.width, -2, 2),
          v = make.random(s.words, s.width),
          share = make.out("float", s.words, s.words),
          out = make.out("float", s.words, s.width) }
      end,
      outputs = { "share", "out" },
      steps = function(s, arg, kernels)
        return { { kernels.attend, q = arg.q, k = arg.k, share = arg.share,
            words = s.words, width = s.width, grid = s.words },
          { kernels.mix_values, share = arg.share, v = arg.v, out = arg.out,
            words = s.words, grid = { s.width, s.words } } }
      end,
      reference = function(s, arg, out)
        local a = attend(of(arg.q), of(arg.k))
        local y = mixed(a, of(arg.v))
        for i = 0, s.words * s.words - 1 do out.share[i] = a[i] end
        for i = 0, s.words * s.width - 1 do out.out[i] = y[i] end
      end,
      tolerance = 1e-3, cases = cases, start_fails = "wrong",
      wrong = { ["not-scaled"] = "wrong", ["scaled-by-the-width"] = "wrong",
        ["shares-do-not-add-up"] = "wrong", ["rows-and-columns-exchanged"] = "wrong" },
      hints = { "A score is the product of row i of q and row j of k, divided by the root of the width.",
        "Then softmax over j, as you know it: the largest first, then exp, then the division.",
        "`sum += share[at.y * words + j] * v[j * size.x + at.x];`: row at.y of the shares times column at.x of v." } },
    { name = "project", title = "Products and GELU", kernel = "project",
      task = "Finish `project`: with `bend` it gives GELU of the sum.",
      arguments = function(s, make)
        return { x = make.random(s.words, s.width, -3, 3),
          w = make.random(s.width, s.outputs), b = make.random(s.outputs),
          y = make.out("float", s.words, s.outputs), inputs = s.width,
          bend = s.bend }
      end,
      outputs = { "y" },
      launch = function(s) return { grid = { s.outputs, s.words } } end,
      reference = function(s, arg, out)
        local y = linear(of(arg.x), of(arg.w), arg.b, s.bend == 1)
        for i = 0, s.words * s.outputs - 1 do out.y[i] = y[i] end
      end,
      tolerance = 1e-3,
      cases = { { words = 1, width = 1, outputs = 1, bend = 1 },
        { words = 2, width = 3, outputs = 2, bend = 0 },
        { words = 5, width = 8, outputs = 32, bend = 1 },
        { words = 3, width = 17, outputs = 5, bend = 1 } },
      start_fails = "wrong",
      wrong = { ["always-bent"] = "wrong", relu = "wrong",
        ["no-cube"] = "wrong", ["no-half"] = "wrong" },
      hints = { "GELU by its usual approximation: 0.5 x (1 + tanh(0.79788456 (x + 0.044715 x³))).",
        "Only where bend is not 0; else the sum as it is.",
        "`y[…] = bend ? gelu : sum;`" } },
    { name = "block", title = "The block",
      task = "Write the function `block` in Lua, with your kernels.",
      exercise = judge_block, start_fails = "wrong",
      wrong = { ["no-residual"] = "wrong", ["second-norm-forgotten"] = "wrong",
        ["not-bent"] = "wrong", ["residual-of-the-normalised"] = "wrong",
        ["changes-the-input"] = "wrong" },
      hints = { "A helper for each kernel makes it short: normal(x, gain, shift), linear(x, w, b, bend), sum(a, b), each with a new buffer.",
        "What is added to x is never normalised: x = sum(x, linear(attention(…), W.o, W.bo)), with the attention of the normalised x.",
        "The second half: n = normal(x, W.gain2, W.shift2), then sum(x, linear(linear(n, W.up, W.bup, true), W.down, W.bdown))." } },
  },
}
