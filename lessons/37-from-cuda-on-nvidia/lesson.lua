return {
  title = "From CUDA, on your own NVIDIA GPU", part = 6, minutes = 20,
  task = "Translate `keep` from CUDA: pack the positive numbers of each SIMD-group to its front.",
  kernel = "keep",
  arguments = function(s, make)
    return { x = make.random(s.n), y = make.out("float", s.n), kept = make.out("uint", (s.n + 31) // 32), n = s.n }
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
  cases = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 31 }, { n = 33 }, { n = 64 }, { n = 65 }, { n = 500 } },
  targets = {
    { profile = "issued", per = "busiest thread", of_solution = 3, size = { n = 512 },
      say = "A lane's place is the number of lanes before it that keep theirs: a ballot or a prefix sum, and no loop over the lanes." },
    { profile = "device_reads", per = "busiest thread", at_most = 2, size = { n = 512 },
      say = "A thread reads its own element; the SIMD-group tells it about the others." },
  },
  start_fails = "compile",
  wrong = { ["mask-left-in"] = "compile", ["counts-itself"] = { "wrong", "race", "coverage", "out-of-bounds" },
    ["no-guard-for-kept"] = { "out-of-bounds", "wrong" }, ["rest-is-left"] = { "wrong", "coverage" },
    ["place-in-the-block"] = { "wrong", "race", "coverage", "out-of-bounds" }, ["loop-over-the-lanes"] = "target" },
  hints = {
    "Parameters first: i is [[thread_position_in_grid]], lane is [[thread_index_in_simdgroup]]. n is constant uint &n [[buffer(3)]].",
    "__popc(mask & below) counts the lanes before this one that keep theirs. simd_prefix_exclusive_sum(uint(v > 0)) is that number.",
    "All 32 lanes must take part, so there is no early return: v is 0 where i >= n. simd_sum(uint(v > 0)) is what kept gets.",
    "Or literally: simd_vote::vote_t mask = (simd_vote::vote_t)simd_ballot(v > 0); popcount(uint(mask) & ((1u << lane) - 1)).",
  },
}
