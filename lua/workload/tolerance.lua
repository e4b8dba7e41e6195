-- tolerance.lua - how far apart two right answers may be.
--
--   tolerance.of_sum(n)   of sums of n terms, as a part of their size
--
-- A float has 24 bits: each addition rounds by at most U of the partial sum. In
-- the worst case n of these errors add up to n · U, but as they go up and down
-- they add up like steps at random. Let n terms have the mean m and the
-- deviation d. The partial sum after j of them is about j·m, give or take d·√j,
-- and the errors of all have the deviation
--
--   U/√3 · √(Σ (j·m)² + j·d²)  =  U · √(n³·m²/9 + n²·d²/6)
--
-- As a part of the size of the sum, which is n·m where the terms have one sign
-- and d·√n where the signs are mixed, that is U·√n/3 or U·√(n/6): never more
-- than the latter. What a kernel gives is compared with a reference that rounds
-- as well, hence √2, and Z deviations are beyond what a billion elements show.
--
-- Sums by halves or tiles have smaller errors, never larger ones.
local tolerance = {}

local U = 2.0 ^ -24
local Z = 10

function tolerance.of_sum(n) return Z * U * math.sqrt(n / 3) end

return tolerance
