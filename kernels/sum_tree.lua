-- Few groups go over all of x; a second launch sums what they leave.
local GROUPS, THREADS = 256, 256

-- As many groups as have something to do.
local function groups_for(n)
  return math.max(1, math.min(GROUPS, (n + THREADS - 1) // THREADS))
end

return {
  about = "the sum of all elements, pairwise in threadgroup memory",
  sizes = { n = 16000000 },
  arguments = function(s, make)
    return { x = make.whole(s.n), parts = make.out("float", groups_for(s.n)),
      total = make.out("float", 1) }
  end,
  outputs = { "total" },
  steps = function(s, arg, kernel)
    local groups = #arg.parts
    return {
      { kernel, arg.x, arg.parts, s.n, groups = groups, group = THREADS },
      { kernel, arg.parts, arg.total, groups, groups = 1, group = THREADS },
    }
  end,
  cpu = "sum",
  reference = function(s, arg, out, way)
    return cpu.sum(arg.x, out.total, way)
  end,
  tolerance = 0, -- whole numbers: nothing is rounded
  bytes = function(s) return 4 * s.n end,
  operations = function(s) return s.n end,
  try = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 255 }, { n = 65537 },
    { n = 100003 } },
}
