-- Blocks of 1024, the totals of 1024 blocks, and so on: one level for each
-- factor of 1024 in n.
local BLOCK = 1024

local function levels(n)
  local list = {}
  repeat
    n = (n + BLOCK - 1) // BLOCK
    list[#list + 1] = n
  until n == 1
  return list
end

-- Scan n elements of x into y: blocks, their totals in turn, then the sums of
-- what came before.
local function scan(steps, kernel, x, y, n, totals, level)
  local blocks = (n + BLOCK - 1) // BLOCK
  local sums = totals[level]
  steps[#steps + 1] = { kernel.scan_blocks, x, y, sums, n, groups = blocks,
    group = 256 }
  if blocks > 1 then
    scan(steps, kernel, sums, sums, blocks, totals, level + 1)
    steps[#steps + 1] = { kernel.scan_add, y, sums, n, grid = n, group = 256 }
  end
  return steps
end

return {
  about = "running sums: y[i] = x[0] + … + x[i]",
  kernels = { "scan_blocks", "scan_add" },
  fixed_group = true,
  sizes = { n = 1000000 },
  arguments = function(s, make)
    local arg = { x = make.whole(s.n), y = make.out("float", s.n), totals = {} }
    for i, n in ipairs(levels(s.n)) do arg.totals[i] = make.out("float", n) end
    return arg
  end,
  outputs = { "y" },
  steps = function(s, arg, kernel)
    return scan({}, kernel, arg.x, arg.y, s.n, arg.totals, 1)
  end,
  cpu = "scan",
  reference = function(s, arg, out, way) return cpu.scan(arg.x, out.y, way) end,
  tolerance = 0, -- whole numbers: nothing is rounded
  bytes = function(s) return 8 * s.n end,
  operations = function(s) return s.n end,
  try = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 31 }, { n = 1023 },
    { n = 1024 }, { n = 1025 },
    { n = 100003 }, { n = 1048577 } },
}
