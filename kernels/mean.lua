-- Few groups go over all of x; a second launch sums what they leave and
-- divides.
local GROUPS, THREADS = 256, 256

-- As many groups as have something to do.
local function groups_for(n)
  return math.max(1, math.min(GROUPS, (n + THREADS - 1) // THREADS))
end

return {
  about = "the mean of all elements of a matrix",
  sizes = { rows = 10000, columns = 10000 },
  arguments = function(s, make)
    return { x = make.whole(s.rows * s.columns):reshape(s.rows, s.columns),
      parts = make.out("float", groups_for(s.rows * s.columns)),
      mean = make.out("float", 1) }
  end,
  outputs = { "mean" },
  steps = function(s, arg, kernel)
    local n = s.rows * s.columns
    local groups = groups_for(n)
    return {
      { kernel, arg.x, arg.parts, n, 1, groups = groups, group = THREADS },
      { kernel, arg.parts, arg.mean, groups, 1 / n, groups = 1,
        group = THREADS },
    }
  end,
  cpu = "mean",
  reference = function(s, arg, out, way)
    return cpu.mean(arg.x, out.mean, way)
  end,
  tolerance = 1e-6, -- one division; the sum of whole numbers rounds nowhere
  scale = 1e-30,
  bytes = function(s) return 4 * s.rows * s.columns end,
  operations = function(s) return s.rows * s.columns end,
  try = { { rows = 1, columns = 1 }, { rows = 1, columns = 3 },
    { rows = 31, columns = 33 },
    { rows = 257, columns = 255 } },
}
