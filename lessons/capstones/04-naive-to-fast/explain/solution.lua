mine = answer "choose"          -- mine.naive, mine.launch, mine.x …

launch = {mine.naive}
for name, value in pairs(mine.launch) do launch[name] = value end
cost = profile(launch)
reason = "lines"                -- each lane reads another row
