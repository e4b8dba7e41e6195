-- msl-support.lua - writes docs/msl-support.md: what of MSL compiles and runs
-- here, by the kernels with known answers. Run by 'make docs': build/mettle
-- scripts/msl-support.lua
local case = dofile "tests/msl/case.lua"

local sections, order, compiled, ran, all = {}, {}, 0, 0, 0
for _, path in ipairs(case.files()) do
  local c = case.read(path)
  local ok, kernel = pcall(case.compile, c)
  local right = ok and pcall(case.run_all, c, kernel)
  if not sections[c.section] then
    sections[c.section] = {}
    order[#order + 1] = c.section
  end
  table.insert(sections[c.section],
    { c.construct, ok and "yes" or "no", right and "yes" or "no",
      path:match("([^/]+)%.metal$") })
  all = all + 1
  if ok then compiled = compiled + 1 end
  if right then ran = ran + 1 end
end

-- 6.9.2 comes after 6.9.1 and before 6.12
local function key(section)
  return (section:gsub("%d+", function(n) return ("%04d"):format(n) end))
end
table.sort(order, function(a, b) return key(a) < key(b) end)

local out = assert(io.open("docs/msl-support.md", "w"))
out:write(([[
# What of MSL is supported

Made by `make docs` from the kernels in `tests/msl/run`, each of which tries one construct: whether it compiles,
and whether it gives its known answer at several threadgroup sizes on the host device. %d kernels, %d compile, %d
give the right answer. Sections are those of the specification of Metal 4.

What the language leaves open stays open: adding two ints beyond their range is undefined in MSL as it is in C++, and
Apple's compiler, like ours, reckons with that (`x + 1 > x` is always true). Unsigned ints wrap.
]]):format(all, compiled, ran))
for _, section in ipairs(order) do
  out:write("\n## ", section,
    "\n\n| construct | compiles | runs | kernel |\n|---|---|---|---|\n")
  for _, row in ipairs(sections[section]) do
    out:write("| ", (row[1]:gsub("|", "\\|")), " | ", row[2], " | ", row[3],
      " | ", row[4], " |\n")
  end
end
out:close()
print(("docs/msl-support.md: %d of %d run"):format(ran, all))
