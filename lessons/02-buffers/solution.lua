squares = gpu.buffer("int", 100)
for i = 0, 99 do squares[i] = i * i end
