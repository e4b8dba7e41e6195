-- inputs.lua - the words that the heads of kernels are written in: each makes
-- an argument of a launch, with the same numbers on every machine.
--
--   local words = inputs.words(1)   S is 1; a GPU's inputs are larger
--   load("return { floats(10 * S, 0, 1), uint(10) }", "=head", "t", words)()
--
-- An argument is { buffer = b }, whose output = value is what it is filled with
-- before a kernel runs, if it is an output, and whose as = "float4" is the type
-- that the kernel has; or { value = number, type = "uint" }.
local inputs = {}

-- A number below 'n' that follows from 'i', for what buffers do not make.
local function chosen(i, n)
  i = (i + 1) * 0x9e3779b1 & 0xffffffff
  i = (i ~ i >> 16) * 0x7feb352d & 0xffffffff
  i = (i ~ i >> 15) * 0x846ca68b & 0xffffffff
  return (i >> 7) % n
end

local function buffer_of(kind, n, f)
  local b = gpu.buffer(kind, n)
  for i = 0, n - 1 do b[i] = f(i) end
  return { buffer = b }
end

-- Buffers of random numbers, each argument with a seed of its own.
local function add_random(words)
  local seed = 0
  local function random(kind, n, low, high)
    seed = seed + 1
    return { buffer = gpu.buffer(kind, n):random(seed, low, high) }
  end
  function words.floats(n, low, high) return random("float", n, low, high) end
  function words.halves(n, low, high) return random("half", n, low, high) end
  function words.uints(n, low, high) return random("uint", n, low, high) end
  function words.ushorts(n, low, high)
    return random("ushort", n, low, high)
  end
  function words.bytes(n, low, high)
    return random("uchar", n, low or 0, high or 256)
  end
  -- One of 'rarity' bytes is 1, the others 0.
  function words.sparse_bytes(n, rarity)
    local b = random("uchar", n, 0, rarity)
    for i = 0, n - 1 do b.buffer[i] = b.buffer[i] == 1 and 1 or 0 end
    return b
  end
  -- Blocks of 'words_each' words of 16 bits, the first a scale as a half: from
  -- 2^-6 up to 2^-5.
  function words.blocks(count, words_each)
    local b = random("ushort", count * words_each, 0, 65536)
    for i = 0, count * words_each - 1, words_each do
      b.buffer[i] = 0x2400 | b.buffer[i] & 0x3ff
    end
    return b
  end
end

local function add_lists(words)
  -- Where each of 'rows' rows begins, whose lengths are 'mean' and up to a half
  -- more or less.
  function words.row_starts(rows, mean)
    return buffer_of("uint", rows + 1, function(i)
      if i == 0 or i == rows then return i * mean end
      return i * mean - chosen(i, mean // 2)
    end)
  end
  -- Numbers that rise by up to 3.
  function words.rising(n, step)
    local last = 0
    return buffer_of("uint", n, function(i)
      last = last + chosen(i * step, 4)
      return last
    end)
  end
  -- Rows for row_starts of as many, each of them sorted.
  function words.sorted_rows(rows, mean)
    local b, last, starts = nil, 0, words.row_starts(rows, mean).buffer
    b = gpu.buffer("uint", rows * mean)
    for row = 0, rows - 1 do
      last = chosen(row, 64)
      for i = starts[row], starts[row + 1] - 1 do
        last = last + 1 + chosen(i, 2 * rows // (3 * mean))
        b[i] = last % rows
      end
    end
    return { buffer = b }
  end
  -- Words of 8 to 15 letters and a zero, for row_starts(n, 16).
  function words.words(n)
    local starts = words.row_starts(n, 16).buffer
    local b = gpu.buffer("uchar", 16 * n):random(1, 97, 123)
    for i = 1, n do b[starts[i] - 1] = 0 end
    return { buffer = b }
  end
end

local function add_tables(words)
  function words.crc_table()
    return buffer_of("uint", 256, function(i)
      for _ = 1, 8 do i = i >> 1 ~ (i & 1 == 1 and 0xedb88320 or 0) end
      return i
    end)
  end
  -- Half of the places are taken, by every other number.
  function words.hash_table(places)
    local b = gpu.buffer("uint", 2 * places):fill(0xffffffff)
    for i = 0, places // 2 - 1 do
      local key = 2 * i
      local place = (key * 2654435769 & 0xffffffff) >> 16 & places - 1
      while b[2 * place] ~= 0xffffffff do
        place = (place + 1) & places - 1
      end
      b[2 * place], b[2 * place + 1] = key, chosen(key, 1000)
    end
    return { buffer = b }
  end
  -- Complete trees: of four words a node, with its feature (or -1), its limit
  -- or answer, and its children.
  function words.trees(count, depth)
    local nodes = (2 << depth) - 1
    local b = gpu.buffer("int", 4 * nodes * count)
    local floats = b:as "float"
    for i = 0, nodes * count - 1 do
      local at = i % nodes
      local leaf = 2 * at + 1 >= nodes
      b[4 * i] = leaf and -1 or chosen(i, 8)
      floats[4 * i + 1] = chosen(i, 1000) / 1000
      b[4 * i + 2], b[4 * i + 3] = 2 * at + 1, 2 * at + 2
    end
    return { buffer = b }
  end
end

local function add_fields(words)
  function words.spins(n)
    return buffer_of("char", n, function(i) return 2 * chosen(i, 2) - 1 end)
  end
  -- One node in sixteen was reached in level 2, one in eight before.
  function words.levels(n)
    return buffer_of("uint", n, function(i)
      local c = chosen(i, 16)
      return c == 0 and 2 or c <= 2 and c - 1 or 0xffffffff
    end)
  end
  -- One pixel in sixteen knows a seed, which is near.
  function words.seeds(width, height)
    local n = width * height
    return buffer_of("int", n, function(i)
      return chosen(i, 16) == 0 and (i + chosen(i + 1, 64)) % n or -1
    end)
  end
end

-- Sums of n terms differ with their order: by √n roundings, as a rule; eight
-- times that is allowed.
local function sums(n) return 8 * 2 ^ -24 * n ^ 0.5 end

function inputs.words(scale)
  local words = { S = scale, sums = sums }
  add_random(words)
  add_lists(words)
  add_tables(words)
  add_fields(words)
  function words.out(kind, n, fill)
    return { buffer = gpu.buffer(kind, n), output = fill or 0 }
  end
  function words.as(kind, argument)
    argument.as = kind
    return argument
  end
  for _, kind in ipairs { "int", "uint", "float" } do
    words[kind] = function(v) return { value = v, type = kind } end
  end
  return words
end

return inputs
