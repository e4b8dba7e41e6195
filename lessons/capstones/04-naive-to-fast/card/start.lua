one, two = answer "choose", answer "faster"

-- What you would show to others: the device, both times (seconds, medians of
-- compare), how often faster, and the lines of memory that each moves.
card = {
  device = "?",
  naive = 0, fast = 0, times = 0,
  naive_lines = 0, fast_lines = 0,
}
