squares = gpu.buffer("int", 100)
for i = 1, 100 do squares[i - 1] = i * i end
