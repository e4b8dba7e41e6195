mine = answer "choose"

-- A better kernel for the same launch's arguments and answer. Its grid and
-- group may be others: fast_launch has the same buffers.
fast = mine.naive
fast_launch = mine.launch
