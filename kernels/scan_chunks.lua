-- Chunks of whole blocks of 4096 elements, two thousand at most: several times
-- the threadgroups that a large GPU holds at once, and not more, since each of
-- them adds up the chunks before its own.
local BLOCK, CHUNKS = 4096, 2048

local function chunk_for(n)
  local blocks = (n + BLOCK - 1) // BLOCK
  return (blocks + CHUNKS - 1) // CHUNKS * BLOCK
end

return {
  like = "scan",
  about = "running sums, each element read twice and written once",
  kernels = { "chunk_sums", "chunk_scan" },
  fixed_group = true,
  arguments = function(s, make)
    local chunk = chunk_for(s.n)
    return { x = make.whole(s.n), y = make.out("float", s.n), chunk = chunk,
      sums = make.out("float", (s.n + chunk - 1) // chunk) }
  end,
  steps = function(s, arg, kernel)
    local chunks = #arg.sums
    return {
      { kernel.chunk_sums, arg.x, arg.sums, s.n, arg.chunk, groups = chunks,
        group = 256 },
      { kernel.chunk_scan, arg.x, arg.y, arg.sums, s.n, arg.chunk,
        groups = chunks, group = 256 },
    }
  end,
  try = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 4 }, { n = 31 },
    { n = 4095 }, { n = 4096 }, { n = 4097 }, { n = 100003 },
    { n = 4198401 } },
}
