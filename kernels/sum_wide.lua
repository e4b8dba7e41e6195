-- Many times the threads that a large GPU holds at once, so that none of its
-- cores has nothing left long before the others, each with sixteen numbers
-- under way; a second launch sums what the groups leave.
local GROUPS, THREADS, EACH = 8192, 256, 16

local function groups_for(n)
  local all = THREADS * EACH
  return math.max(1, math.min(GROUPS, (n + all - 1) // all))
end

return {
  like = "sum_tree",
  about = "the sum of all elements, sixteen at a time",
  arguments = function(s, make)
    return { x = make.whole(s.n), parts = make.out("float", groups_for(s.n)),
      total = make.out("float", 1) }
  end,
  try = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 4 }, { n = 255 },
    { n = 4097 }, { n = 65537 }, { n = 100003 }, { n = 4194307 } },
}
