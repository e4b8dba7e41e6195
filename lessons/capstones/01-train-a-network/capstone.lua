-- A two-layer network in numbers of Lua, which are doubles: what the kernels
-- are held against.
local function list(b)
  local t = {}
  for i = 0, #b - 1 do t[i] = b[i] end
  return t
end

local function scores(net, x, n)
  local h, z = {}, {}
  for j = 0, net.neurons - 1 do
    local sum = net.b1[j]
    for d = 0, net.inputs - 1 do
      sum = sum + x[n * net.inputs + d] * net.w1[d * net.neurons + j]
    end
    local e = math.exp(-2 * math.abs(sum))
    h[j] = (sum < 0 and -1 or 1) * (1 - e) / (1 + e)
  end
  for c = 0, net.classes - 1 do
    z[c] = net.b2[c]
    for j = 0, net.neurons - 1 do
      z[c] = z[c] + h[j] * net.w2[j * net.classes + c]
    end
  end
  return h, z
end

local function softmax(z, classes)
  local p, largest, sum = {}, -math.huge, 0
  for c = 0, classes - 1 do largest = math.max(largest, z[c]) end
  for c = 0, classes - 1 do
    p[c] = math.exp(z[c] - largest)
    sum = sum + p[c]
  end
  for c = 0, classes - 1 do p[c] = p[c] / sum end
  return p
end

local function zeros(n)
  local t = {}
  for i = 0, n - 1 do t[i] = 0 end
  return t
end

-- One step of all examples; the mean loss before it.
local function step(net, x, label, count, rate)
  local D, H, K = net.inputs, net.neurons, net.classes
  local dw1, db1, dw2, db2 = zeros(D * H), zeros(H), zeros(H * K), zeros(K)
  local total = 0
  for n = 0, count - 1 do
    local h, z = scores(net, x, n)
    local p = softmax(z, K)
    total = total - math.log(p[label[n]])
    p[label[n]] = p[label[n]] - 1
    for c = 0, K - 1 do db2[c] = db2[c] + p[c] end
    for j = 0, H - 1 do
      local back = 0
      for c = 0, K - 1 do
        dw2[j * K + c] = dw2[j * K + c] + h[j] * p[c]
        back = back + p[c] * net.w2[j * K + c]
      end
      back = back * (1 - h[j] * h[j])
      db1[j] = db1[j] + back
      for d = 0, D - 1 do
        dw1[d * H + j] = dw1[d * H + j] + x[n * D + d] * back
      end
    end
  end
  local function go(w, d)
    for i = 0, #d do w[i] = w[i] - rate * d[i] / count end
  end
  go(net.w1, dw1) go(net.b1, db1) go(net.w2, dw2) go(net.b2, db2)
  return total / count
end

-- Two arms that wind around each other; class n % 2.
local function spirals(n)
  local x, label = gpu.buffer(n, 2), gpu.buffer("uint", n)
  for i = 0, n - 1 do
    local arm, t = i % 2, (i // 2) / (n // 2)
    local angle = 5 * t + math.pi * arm
    x[2 * i] = (0.1 + 0.9 * t) * math.cos(angle)
    x[2 * i + 1] = (0.1 + 0.9 * t) * math.sin(angle)
    label[i] = arm
  end
  return x, label
end

local shapes = { [0] = "111101101101111", "010110010010111", "111001111100111",
  "111001011001111", "101101111001001", "111100111001111", "111100111101111",
  "111001010010010", "111101111101111", "111101111001111" }

-- Digits of 3 x 5 pixels, with noise in every pixel.
local function digits(n)
  local x, label = gpu.buffer(n, 15):normal(3), gpu.buffer("uint", n)
  for i = 0, n - 1 do
    label[i] = i % 10
    for d = 0, 14 do
      local ink = shapes[i % 10]:sub(d + 1, d + 1) == "1" and 1 or 0
      x[15 * i + d] = ink - 0.5 + 0.15 * x[15 * i + d]
    end
  end
  return x, label
end

local function network(inputs, neurons, classes)
  return { inputs = inputs, neurons = neurons, classes = classes,
    w1 = gpu.buffer(inputs, neurons):normal(1), b1 = gpu.buffer(neurons),
    w2 = gpu.buffer(neurons, classes):random(2, -0.5, 0.5),
    b2 = gpu.buffer(classes) }
end

local function copy_of(net)
  return { inputs = net.inputs, neurons = net.neurons, classes = net.classes,
    w1 = list(net.w1), b1 = list(net.b1), w2 = list(net.w2),
    b2 = list(net.b2) }
end

-- nil, or a sentence: where the losses of 'train' part from ours.
local function compare_losses(train, what, net, x, label, rate, steps)
  local ours, losses = copy_of(net), nil
  local data, wanted = list(x), list(label)
  losses = train(net, x, label, rate, steps)
  if type(losses) ~= "table" or #losses ~= steps then
    return ("train must return a list of %d losses, one for each step"):format(
      steps)
  end
  for s = 1, steps do
    local loss = step(ours, data, wanted, #label, rate)
    if type(losses[s]) ~= "number" or math.abs(losses[s] - loss) > 2e-3 then
      return ("%s: before step %d the mean loss is %s, and the CPU has %.4f%s"):format(
        what, s, type(losses[s]) == "number" and ("%.4f"):format(losses[s])
          or tostring(losses[s]), loss, s == 1 and "" or
          ": what does a step do that it should not, or leave out?")
    end
  end
end

local function judge_training(env)
  if type(env.train) ~= "function" then
    return false, "there is no function train(net, x, label, rate, steps)"
  end
  local x, label = spirals(40)
  local why = compare_losses(env.train, "spirals", network(2, 8, 2), x, label,
    1, 12)
  if why then return false, why end
  x, label = digits(30)
  why = compare_losses(env.train, "digits", network(15, 6, 10), x, label,
    0.5, 5)
  if why then return false, why end
  return true, "Right: the losses fall as the CPU's do, on spirals and digits."
end

local sizes = { { examples = 1, inputs = 1, neurons = 1, classes = 2 },
  { examples = 2, inputs = 3, neurons = 2, classes = 2 },
  { examples = 5, inputs = 2, neurons = 7, classes = 3 },
  { examples = 33, inputs = 15, neurons = 17, classes = 10 } }

return {
  title = "Train a network", part = 1, minutes = 120,
  tasks = {
    { name = "hidden", title = "The hidden layer", kernel = "hidden",
      task = "Write `hidden`: h = tanh(x w + b), a thread for each neuron of each example.",
      arguments = function(s, make)
        return { x = make.random(s.examples, s.inputs),
          w = make.random(s.inputs, s.neurons), b = make.random(s.neurons),
          h = make.out("float", s.examples, s.neurons), inputs = s.inputs }
      end,
      outputs = { "h" },
      launch = function(s) return { grid = { s.neurons, s.examples } } end,
      reference = function(s, arg, out)
        local net = { inputs = s.inputs, neurons = s.neurons, classes = 0,
          w1 = arg.w, b1 = arg.b }
        for n = 0, s.examples - 1 do
          local h = scores(net, arg.x, n)
          for j = 0, s.neurons - 1 do out.h[n * s.neurons + j] = h[j] end
        end
      end,
      tolerance = 1e-4, cases = sizes, start_fails = "wrong",
      wrong = { ["no-tanh"] = "wrong", ["no-bias"] = "wrong",
        ["weights-the-other-way"] = "wrong", ["first-example-only"] = "wrong" },
      hints = { "Example n begins at x[n * inputs]; the weight from input d to neuron j is w[d * neurons + j].",
        "`size.x` is the number of neurons, since the grid is neurons × examples.",
        "`for (uint d = 0; d < inputs; d++) sum += x[at.y * inputs + d] * w[d * size.x + at.x];` and `tanh` around it at the end." } },
    { name = "shares", title = "Shares and loss", kernel = "shares",
      task = "Write `shares`: scores, their softmax, and the loss of each example.",
      arguments = function(s, make)
        local label = make.integers("uint", 0, s.classes - 1, s.examples)
        return { h = make.random(s.examples, s.neurons),
          w = make.random(s.neurons, s.classes, s.low or -1, s.high or 1),
          b = make.random(s.classes, nil, s.low or -1, s.high or 1),
          label = label, p = make.out("float", s.examples, s.classes),
          loss = make.out("float", s.examples), neurons = s.neurons,
          classes = s.classes }
      end,
      outputs = { "p", "loss" },
      launch = function(s) return { grid = s.examples } end,
      reference = function(s, arg, out)
        for n = 0, s.examples - 1 do
          local z = {}
          for c = 0, s.classes - 1 do
            z[c] = arg.b[c]
            for j = 0, s.neurons - 1 do
              z[c] = z[c] + arg.h[n * s.neurons + j] * arg.w[j * s.classes + c]
            end
          end
          local p = softmax(z, s.classes)
          for c = 0, s.classes - 1 do out.p[n * s.classes + c] = p[c] end
          out.loss[n] = -math.log(p[arg.label[n]])
        end
      end,
      tolerance = 1e-3,
      cases = { sizes[1], sizes[2], sizes[3],
        { examples = 3, neurons = 1, classes = 3, low = 95, high = 105 },
        sizes[4] },
      start_fails = "wrong",
      wrong = { ["no-softmax"] = "wrong", overflows = "wrong",
        ["loss-without-the-sign"] = "wrong", ["loss-of-class-zero"] = "wrong" },
      hints = { "Three loops over the classes: scores and the largest, exp and the sum, the division.",
        "Subtract the largest score before `exp`, as in the lesson on softmax: scores may be above 100.",
        "The loss is `-log(mine[label[n]])`: small where the share of the right class is near 1." } },
    { name = "backward", title = "The error, backwards",
      kernels = { "blame", "backward" }, kernel = "backward",
      task = "Write `blame` and `backward`: how the loss changes with each score and with each hidden sum.",
      arguments = function(s, make)
        local label = make.integers("uint", 0, s.classes - 1, s.examples)
        return { p = make.random(s.examples, s.classes, 0, 1), label = label,
          w = make.random(s.neurons, s.classes),
          h = make.random(s.examples, s.neurons),
          dz = make.out("float", s.examples, s.classes),
          dh = make.out("float", s.examples, s.neurons) }
      end,
      outputs = { "dz", "dh" },
      steps = function(s, arg, kernels)
        return { { kernels.blame, p = arg.p, label = arg.label, dz = arg.dz,
            grid = { s.classes, s.examples } },
          { kernels.backward, dz = arg.dz, w = arg.w, h = arg.h, dh = arg.dh,
            classes = s.classes, grid = { s.neurons, s.examples } } }
      end,
      reference = function(s, arg, out)
        for n = 0, s.examples - 1 do
          for c = 0, s.classes - 1 do
            local i = n * s.classes + c
            out.dz[i] = arg.p[i] - (arg.label[n] == c and 1 or 0)
          end
          for j = 0, s.neurons - 1 do
            local sum, h = 0, arg.h[n * s.neurons + j]
            for c = 0, s.classes - 1 do
              sum = sum + out.dz[n * s.classes + c] * arg.w[j * s.classes + c]
            end
            out.dh[n * s.neurons + j] = sum * (1 - h * h)
          end
        end
      end,
      tolerance = 1e-4, cases = sizes, start_fails = "wrong",
      wrong = { ["no-slope"] = "wrong", ["slope-of-the-sum"] = "wrong",
        ["wrong-sign"] = "wrong",
        ["weights-the-other-way"] = { "wrong", "out-of-bounds" } },
      hints = { "Softmax and the logarithm together have a simple derivative: the share, less 1 for the right class.",
        "A hidden neuron is to blame for each class as far as its weight to it: the sum of dz[c] * w[j * classes + c].",
        "tanh has the slope 1 - tanh². The tanh is in h already: `dh[i] = sum * (1 - h[i] * h[i]);`" } },
    { name = "update", title = "The step downhill", kernel = "update",
      task = "Write `update`: each weight and bias goes down the mean slope of all examples.",
      arguments = function(s, make)
        return { ["in"] = make.random(s.examples, s.inputs),
          d = make.random(s.examples, s.neurons),
          w = make.changed("float", s.inputs, s.neurons),
          b = make.changed("float", s.neurons), examples = s.examples,
          inputs = s.inputs, rate = 0.5 }
      end,
      outputs = { "w", "b" },
      launch = function(s) return { grid = { s.neurons, s.inputs + 1 } } end,
      reference = function(s, arg, out)
        for j = 0, s.neurons - 1 do
          for d = 0, s.inputs do
            local sum = 0
            for n = 0, s.examples - 1 do
              sum = sum + (d == s.inputs and 1 or arg["in"][n * s.inputs + d])
                * arg.d[n * s.neurons + j]
            end
            local go = 0.5 * sum / s.examples
            if d == s.inputs then out.b[j] = arg.b[j] - go
            else out.w[d * s.neurons + j] = arg.w[d * s.neurons + j] - go end
          end
        end
      end,
      tolerance = 1e-4, cases = sizes, start_fails = "wrong",
      wrong = { uphill = "wrong", ["no-mean"] = "wrong",
        ["bias-forgotten"] = "wrong",
        ["reads-past-the-inputs"] = { "wrong", "out-of-bounds" } },
      hints = { "The slope of weight (i, j) is the mean over the examples of in[n * inputs + i] * d[n * neurons + j].",
        "A bias is a weight whose input is always 1: the row at.y == inputs.",
        "`float step = rate * sum / examples;` then `w[…] -= step`, or `b[at.x] -= step` in the last row." } },
    { name = "train", title = "The loop",
      task = "Write the function `train` in Lua, with the five kernels.",
      exercise = judge_training, start_fails = "wrong",
      wrong = { ["first-layer-never-learns"] = "wrong",
        ["weights-before-blame"] = "wrong", ["sum-of-the-losses"] = "wrong",
        ["returns-nothing"] = "wrong" },
      hints = { "The order: hidden, shares, the loss into the list, blame, backward, and the two updates.",
        "backward needs the weights that shares used: update w2 after it.",
        "`update{h, dz, net.w2, net.b2, n, H, rate, grid = {K, H + 1}}`, and the same with x, dh, w1 and b1." } },
    { name = "boundary", title = "The boundary", kernel = "boundary",
      task = "Write `boundary`: the share of class 1 at every point of the plane.",
      arguments = function(s, make)
        return { w1 = make.random(2, s.neurons), b1 = make.random(s.neurons),
          w2 = make.random(s.neurons, 2), b2 = make.random(2),
          picture = make.out("float", s.rows, s.columns), neurons = s.neurons }
      end,
      outputs = { "picture" },
      launch = function(s) return { grid = { s.columns, s.rows } } end,
      reference = function(s, arg, out)
        local net = { inputs = 2, neurons = s.neurons, classes = 2, w1 = arg.w1,
          b1 = arg.b1, w2 = arg.w2, b2 = arg.b2 }
        for y = 0, s.rows - 1 do
          for x = 0, s.columns - 1 do
            local at = { [0] = 2.4 * (x + 0.5) / s.columns - 1.2,
              2.4 * (y + 0.5) / s.rows - 1.2 }
            local _, z = scores(net, at, 0)
            out.picture[y * s.columns + x] = softmax(z, 2)[1]
          end
        end
      end,
      tolerance = 1e-4,
      cases = { { neurons = 1, rows = 1, columns = 1 },
        { neurons = 3, rows = 2, columns = 5 },
        { neurons = 17, rows = 9, columns = 33 } },
      start_fails = "wrong",
      wrong = { ["class-zero"] = "wrong", ["scores-not-shares"] = "wrong",
        ["no-hidden-bias"] = "wrong" },
      hints = { "It is hidden and shares in one, for the inputs x.x and x.y and two classes.",
        "With two classes softmax is 1 / (1 + exp(score of class 0 - score of class 1)).",
        "w1 has two rows: w1[j] belongs to x.x and w1[neurons + j] to x.y." } },
  },
}
