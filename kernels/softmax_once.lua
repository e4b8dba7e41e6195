-- As many threads as hold a row in their registers, sixteen elements each.
local EACH = 16

local function threads_for(columns)
  local simds = (columns + 32 * EACH - 1) // (32 * EACH)
  return math.min(32, simds) * 32
end

return {
  like = "softmax",
  about = "softmax of each row, which is read once",
  launch = function(s)
    return { groups = s.rows, group = threads_for(s.columns) }
  end,
  try = { { rows = 1, columns = 1 }, { rows = 3, columns = 2 },
    { rows = 5, columns = 31 }, { rows = 2, columns = 257 },
    { rows = 7, columns = 1023 }, { rows = 3, columns = 4096 },
    { rows = 2, columns = 4097 }, { rows = 2, columns = 10007 } },
}
