squares = gpu.buffer("int", 100):iota()
