squares = {}
for i = 0, 99 do squares[i] = i * i end
