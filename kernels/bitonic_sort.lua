-- The masks of all steps, and how many threads each needs: half of n rounded up
-- to a power of two.
local function steps(s, arg, kernel)
  local list, whole = {}, 1
  while whole < s.n do whole = whole * 2 end
  local function step(mask)
    list[#list + 1] = { kernel, arg.x, mask, s.n,
      grid = math.max(1, whole // 2), group = 256 }
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
  arguments = function(s, make)
    local x = make.changed("float", s.n)
    return { x = x, unsorted = x:copy() }
  end,
  outputs = { "x" },
  steps = steps,
  cpu = "sort",
  reference = function(s, arg, out, way)
    return cpu.sort(arg.unsorted, out.x, way)
  end,
  tolerance = 0,
  bytes = function(s) return 8 * s.n end,
  -- comparisons that any sort needs; this one does more
  operations = function(s)
    return s.n * math.ceil(math.log(math.max(s.n, 2), 2))
  end,
  try = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 7 }, { n = 64 }, { n = 1000 },
    { n = 4097 } },
}
