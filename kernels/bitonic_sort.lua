-- The masks of all steps, and how many threads each needs: half of n rounded up
-- to a power of two.
local function steps(s, arg, kernel)
  local list, whole = {}, 1
  while whole < s.n do whole = whole * 2 end
  local function step(mask)
    list[#list + 1] = { kernel, arg.x, mask, s.n, grid = math.max(1, whole // 2), group = 256 }
  end
  local size = 2
  while size <= whole do
    step(size - 1)
    local half = size // 4
    while half >= 1 do
      step(half)
      half = half // 2
    end
    size = size * 2
  end
  if #list == 0 then step(1) end -- a single element
  return list
end

return {
  about = "the elements in order, by pairs (bitonic)",
  sizes = { n = 65536 },
  arguments = function(s, make) return { x = make.random(s.n) } end,
  outputs = { "x" },
  steps = steps,
  reference = function(s, arg, out)
    local list = arg.x:table()
    table.sort(list)
    return list
  end,
  tolerance = 0,
  bytes = function(s) -- each step reads and writes everything
    local k = math.ceil(math.log(math.max(s.n, 2), 2))
    return 8 * s.n * k * (k + 1) // 2
  end,
  operations = function(s)
    local k = math.ceil(math.log(math.max(s.n, 2), 2))
    return s.n // 2 * k * (k + 1) // 2
  end,
  try = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 7 }, { n = 64 }, { n = 1000 }, { n = 4097 } },
}
