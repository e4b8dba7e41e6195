-- The sum that sum_tree and its siblings find, in one launch as dot has it.
local sum, wide = require "kernels.sum_tree", require "kernels.sum_wide"

return {
  like = "dot",
  about = "the sum of all elements, sixteen at a time, one launch",
  sizes = sum.sizes,
  arguments = function(s, make)
    return { x = make.whole(s.n), total = make.zeros("float", 1), n = s.n }
  end,
  launch = function(s)
    return { groups = math.min(2048, (s.n + 4095) // 4096), group = 256 }
  end,
  cpu = sum.cpu,
  reference = sum.reference,
  bytes = sum.bytes,
  operations = sum.operations,
  try = wide.try,
}
