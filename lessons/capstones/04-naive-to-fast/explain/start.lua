mine = answer "choose"          -- mine.naive, mine.launch, mine.x …

-- Profile your kernel, and say what it wastes: "lines" (memory moves more lines
-- of 128 bytes than needed), "divergence" (lanes that idle), "conflicts" (banks
-- of threadgroup memory), "atomics" (threads that wait for each other), or
-- "instructions" (none of these: too much is computed, or by too few threads).
cost = nil
reason = "?"
