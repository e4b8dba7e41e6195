return {
  title = "From CUDA: on your own NVIDIA GPU", part = 6, minutes = 20,
  task = "Translate `keep` from CUDA: pack the positive numbers of each SIMD-group to its front.",
  kernel = "keep",
  arguments = function(s, make)
    return { x = make.random(s.n), y = make.out("float", s.n),
      kept = make.out("uint", (s.n + 31) // 32), n = s.n }
  end,
  outputs = { "y", "kept" },
  launch = function(s) return { groups = (s.n + 63) // 64, group = 64 } end,
  reference = function(s, arg, out)
    for first = 0, s.n - 1, 32 do
      local count, last = 0, math.min(first + 31, s.n - 1)
      for i = first, last do
        if arg.x[i] > 0 then
          out.y[first + count] = arg.x[i]
          count = count + 1
        end
      end
      for i = first + count, last do out.y[i] = 0 end
      out.kept[first // 32] = count
    end
  end,
  tolerance = 0,
  cases = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 31 }, { n = 33 }, { n = 64 },
    { n = 65 }, { n = 500 } },
  targets = {
    { profile = "issued", per = "busiest thread", of_solution = 3,
      size = { n = 512 },
      say = "A lane's place is the number of lanes before it that keep theirs: a ballot or a prefix sum, and no loop over the lanes." },
    { profile = "device_reads", per = "busiest thread", at_most = 2,
      size = { n = 512 },
      say = "A thread reads its own element; the SIMD-group tells it about the others." },
  },
  start_fails = "compile",
  wrong = { ["mask-left-in"] = "compile",
    ["counts-itself"] = { "wrong", "race", "coverage", "out-of-bounds" },
    ["no-guard-for-kept"] = { "out-of-bounds", "wrong" },
    ["rest-is-left"] = { "wrong", "coverage" },
    ["place-in-the-block"] = { "wrong", "race", "coverage", "out-of-bounds" },
    ["loop-over-the-lanes"] = "target" },
  hints = {
    "Parameters first: i is [[thread_position_in_grid]], lane is [[thread_index_in_simdgroup]]. n is constant uint &n [[buffer(3)]].",
    "__popc(mask & below) counts the lanes before this one that keep theirs. simd_prefix_exclusive_sum(uint(v > 0)) is that number.",
    "All 32 lanes must take part, so there is no early return: v is 0 where i >= n. simd_sum(uint(v > 0)) is what kept gets.",
    "Or literally: simd_vote::vote_t mask = (simd_vote::vote_t)simd_ballot(v > 0); popcount(uint(mask) & ((1u << lane) - 1)).",
  },
  challenges = {
    { name = "signs", title = "Thirty-two bits at once",
      task = "`signs`: bit k of mask[g] says whether x[32 g + k] is positive; n is a multiple of 32. The start is CUDA's `__ballot_sync` by hand: lane 0 reads 32 numbers. Fewer instructions of the busiest thread.",
      score = { profile = "issued", per = "busiest thread", size = { n = 512 }, say = "simd_ballot gathers one bit of each lane." },
      kernel = "signs",
      arguments = function(s, make)
        return { x = make.random("float", s.n, nil, -1, 1),
          mask = make.out("uint", s.n // 32) }
      end,
      outputs = { "mask" },
      launch = function(s) return { groups = s.n // 32, group = 32 } end,
      reference = function(s, arg, out)
        for g = 0, s.n // 32 - 1 do
          local bits = 0
          for k = 0, 31 do
            if arg.x[32 * g + k] > 0 then bits = bits | 1 << k end
          end
          out.mask[g] = bits
        end
      end,
      cases = { { n = 32 }, { n = 64 }, { n = 512 } }, wrong = "wrong",
      hints = { "uint((simd_vote::vote_t)simd_ballot(x[i] > 0)) is the mask, in every lane.", "One lane writes it." } },
    { name = "shuffle-down", title = "Without the ladder",
      task = "`warp_max`: the largest number of each 32, and its place in them (the first, if there are several). The start is CUDA's ladder of five `__shfl_down_sync`, for both. Fewer instructions.",
      score = { profile = "issued", size = { n = 512 }, say = "simd_max is one operation; which lane has it can be asked afterwards." },
      kernel = "warp_max",
      arguments = function(s, make)
        return { x = make.random("float", s.n, nil, -1, 1),
          best = make.out("float", s.n // 32),
          place = make.out("uint", s.n // 32) }
      end,
      outputs = { "best", "place" },
      launch = function(s) return { groups = s.n // 32, group = 32 } end,
      reference = function(s, arg, out)
        for g = 0, s.n // 32 - 1 do
          local best, place = arg.x[32 * g], 0
          for k = 1, 31 do
            if arg.x[32 * g + k] > best then
              best, place = arg.x[32 * g + k], k
            end
          end
          out.best[g], out.place[g] = best, place
        end
      end,
      cases = { { n = 32 }, { n = 64 }, { n = 512 } }, wrong = "wrong",
      hints = { "float m = simd_max(v): every lane has it.", "simd_min(v == m ? lane : 32) is the first lane that has it; or ctz of a ballot." } },
    { name = "two-warps", title = "Packed across two SIMD-groups",
      task = "`keep` for whole threadgroups: the positive numbers of each 64 go to the front of their 64 places, the rest is 0, and kept has one count for each threadgroup. The start packs by going through the threadgroup's numbers. Fewer instructions; n is a multiple of 64.",
      score = { profile = "issued", size = { n = 512 }, say = "A prefix sum within each SIMD-group, and one number that goes from the first to the second." },
      arguments = function(s, make)
        return { x = make.random("float", s.n, nil, -1, 1),
          y = make.out("float", s.n), kept = make.out("uint", s.n // 64) }
      end,
      launch = function(s) return { groups = s.n // 64, group = 64 } end,
      reference = function(s, arg, out)
        for first = 0, s.n - 1, 64 do
          local count = 0
          for i = first, first + 63 do
            if arg.x[i] > 0 then
              out.y[first + count] = arg.x[i]
              count = count + 1
            end
          end
          for i = first + count, first + 63 do out.y[i] = 0 end
          out.kept[first // 64] = count
        end
      end,
      cases = { { n = 64 }, { n = 128 }, { n = 640 } },
      wrong = { "wrong", "race", "coverage" },
      hints = { "Each SIMD-group writes its count to threadgroup uint counts[2]; then a barrier.",
        "The second adds counts[0] to every place. All 64 threads know the total, and those at or past it write a 0." } },
  },
}
