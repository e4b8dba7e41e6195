-- test_sarif.lua - lua/check/sarif.lua and --sarif of compile and check: what
-- was found stands where GitHub looks for it. It is of no device: check runs on
-- the host.
--
-- Guards: lua/check/sarif.lua, --sarif of compile and check: places, rules,
-- related places, empty lists, logs joined
local t = dofile "tests/tap.lua"
local json = require "mettle.json"
local sarif = require "lua.check.sarif"
local system = require "mettle.system"

local function sh(command)
  local pipe = assert(io.popen(command .. " 2>/dev/null"))
  local output = pipe:read "a"
  local _, _, status = pipe:close()
  return output, status
end

local scratch = sh "mktemp -d":gsub("%s+$", "")
local function write(name, text)
  local file = assert(io.open(scratch .. "/" .. name, "w"))
  file:write(text)
  file:close()
end

local function mettle(words)
  local output, status = sh(("cd '%s' && '%s' %s"):format(
    scratch, system.program, words))
  return json.decode(output), status, output
end

-- What readers of SARIF rely on; the results of its run.
local function results(log)
  t.equal(log.version, "2.1.0")
  t.equal(#log.runs, 1)
  local driver, rules = log.runs[1].tool.driver, {}
  t.equal(driver.name, "mettle")
  for _, rule in ipairs(driver.rules) do
    t.ok(#rule.shortDescription.text > 0)
    rules[rule.id] = true
  end
  for _, r in ipairs(log.runs[1].results) do
    t.ok(rules[r.ruleId], "no rule " .. r.ruleId)
    t.ok(r.level == "error" or r.level == "warning")
    t.ok(#r.message.text > 0 and #r.locations == 1)
  end
  return log.runs[1].results
end

local function at(r)
  local where = r.locations[1].physicalLocation
  return ("%s:%d:%d"):format(where.artifactLocation.uri, where.region.startLine,
    where.region.startColumn)
end

write("good.metal", "kernel void k(device float *a [[buffer(0)]]) { a[0] = 1; }\n")
write("bad one.metal", "kernel void k(device float *a [[buffer(0)]]) {\n  a[0] = clmp(1.0f);\n}\n")
write("race.metal", [=[
kernel void k(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  a[i] = 1;
  a[0] = i;
}
]=])

t.compiler "what was found as SARIF"

t.test("a refused source stands at its line, by a relative and escaped path", function()
  local log, status = mettle "compile --sarif good.metal 'bad one.metal'"
  t.equal(status, 1)
  local list = results(log)
  t.equal(#list, 1)
  t.equal(list[1].ruleId, "compile-error")
  t.equal(at(list[1]), "bad%20one.metal:2:10")
end)

t.test("a source that is not there has a file and no line", function()
  local list = results((mettle "compile --sarif none.metal"))
  t.equal(#list, 1)
  t.equal(list[1].locations[1].physicalLocation.artifactLocation.uri,
    "none.metal")
  t.equal(list[1].locations[1].physicalLocation.region, nil)
end)

t.test("nothing found is an empty list", function()
  local log, status, text = mettle "compile --sarif good.metal"
  t.equal(status, 0)
  t.equal(#results(log), 0)
  t.ok(text:find '"results":%s*%[%]')
end)

t.test("a race has both places", function()
  local log, status = mettle "check --sarif race.metal --grid 64 --arg a=float[64]"
  t.equal(status, 1)
  local list = results(log)
  t.equal(list[1].ruleId, "race")
  t.equal(at(list[1]):match "[^:]+:%d+", "race.metal:3")
  t.equal(#list[1].relatedLocations, 1)
end)

t.test("a check that could not run has no log that says clean", function()
  local output, status = sh(("cd '%s' && '%s' check --sarif 'bad one.metal' --grid 1 --arg a=float[1]")
    :format(scratch, system.program))
  t.equal(output, "")
  t.equal(status, 2)
end)

t.test("to a file, beside the text", function()
  local text, status = sh(("(cd '%s' && '%s' compile --sarif=c.sarif 'bad one.metal' 2>&1)"):format(scratch, system.program))
  t.equal(status, 1)
  t.ok(text:find "bad one.metal:%d+:%d+: error: ")
  local file = assert(io.open(scratch .. "/c.sarif"))
  t.equal(#results(json.decode(file:read "a")), 1)
  file:close()
  text, status = sh(("cd '%s' && '%s' check --sarif=r.sarif race.metal --grid 64 --arg a=float[64]"):format(scratch, system.program))
  t.equal(status, 1)
  t.ok(text:find "race.metal:3:%d+: race: ")
  file = assert(io.open(scratch .. "/r.sarif"))
  t.equal(results(json.decode(file:read "a"))[1].ruleId, "race")
  file:close()
  text, status = sh(("(cd '%s' && '%s' compile --sarif=none/c.sarif good.metal 2>&1)"):format(scratch, system.program))
  t.equal(status, 2)
  t.ok(text:find "none/c.sarif: No such file")
end)

t.test("joined logs have one run, and each result once", function()
  local _, _, one = mettle "compile --sarif 'bad one.metal'"
  local _, _, two = mettle "check --sarif race.metal --grid 64 --arg a=float[64]"
  local list = results(json.decode(sarif.joined { one, two, one }))
  local of_two = #results(json.decode(two))
  t.equal(#list, 1 + of_two)
end)

sh("rm -rf '" .. scratch .. "'")
t.done()
