-- sarif.lua - what compile and check found as SARIF 2.1.0, which GitHub and
-- editors show beside the lines it is about.
--
--   sarif.compiled(text)   mettle compile's JSON -> SARIF
--   sarif.checked(report)  a report of lua/check/check.lua -> SARIF
--   sarif.joined(texts)    several of these as one, each result once
--
-- The one idea: every tool makes a list of results { rule, level, message,
-- file, line, column, related }, and one function writes them. A result without
-- a line is about the whole file, and SARIF then has no region.
local json = require "mettle.json"
local check = require "mettle.check"
local system = require "mettle.system"

local sarif = {}

local SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

-- Empty lists stay lists.
local function list(t) return setmetatable(t or {}, { __list = true }) end

-- A path as a URI: relative ones stay relative, to the folder that the tool ran
-- in.
local function uri(path)
  local escaped = path:gsub("\\", "/"):gsub("[^%w%-._~/]", function(c)
    return ("%%%02X"):format(c:byte())
  end)
  return path:sub(1, 1) == "/" and "file://" .. escaped or escaped
end

local function place(at, text)
  local physical = { artifactLocation = { uri = uri(at.file) } }
  if at.line and at.line > 0 then
    local column = at.column and at.column > 0 and at.column or nil
    physical.region = { startLine = at.line, startColumn = column }
  end
  return { physicalLocation = physical,
    message = text and { text = text } or nil }
end

local function result(r)
  local related = r.related and
    list { place(r.related, r.related.message) } or nil
  return { ruleId = r.rule, level = r.level, message = { text = r.message },
    locations = list { place(r) }, relatedLocations = related }
end

-- The rules that the results name, in the order in which they first do.
local function rules_of(results, describe)
  local rules, known = list(), {}
  for _, r in ipairs(results) do
    if not known[r.rule] then
      known[r.rule] = true
      rules[#rules + 1] = { id = r.rule,
        shortDescription = { text = describe(r.rule) } }
    end
  end
  return rules
end

-- What is to be known and is no result: sentences.
local function invocation(notes)
  if not notes or #notes == 0 then return nil end
  local all = list()
  for i, text in ipairs(notes) do
    all[i] = { level = "note", message = { text = text } }
  end
  return list { { executionSuccessful = true,
    toolExecutionNotifications = all } }
end

local function log_of(rules, results, notes)
  local driver = { name = "mettle", version = system.version, rules = rules }
  return json.encode({ ["$schema"] = SCHEMA, version = "2.1.0",
    runs = { { tool = { driver = driver }, results = results,
      invocations = invocation(notes) } } }, true)
end

local function written(results, describe, notes)
  local all = list()
  for i, r in ipairs(results) do all[i] = result(r) end
  return log_of(rules_of(results, describe), all, notes)
end

------------------------------------------------------------------------ compile

local compiled = {
  ["compile-error"] = "Metal's compiler refuses it",
  ["compile-warning"] = "Metal's compiler warns of it",
}

-- A note belongs to the error or warning before it.
local function add_diagnostic(results, d, file)
  local last = results[#results]
  if d.severity == "note" then
    if last then
      last.related = last.related
        or { file = d.file or file, line = d.line, column = d.column,
          message = d.message }
    end
    return
  end
  local message = d.help and d.message .. "\n" .. d.help or d.message
  results[#results + 1] = { rule = "compile-" .. d.severity, level = d.severity,
    message = message,
    file = d.file or file, line = d.line, column = d.column }
end

function sarif.compiled(text)
  local results = {}
  for _, file in ipairs(json.decode(text)) do
    for _, d in ipairs(file.diagnostics) do
      add_diagnostic(results, d, file.file)
    end
  end
  return written(results, function(rule) return compiled[rule] end)
end

-------------------------------------------------------------------------- check

local found = { compile = compiled["compile-error"] }
for _, kind in ipairs(check.kinds) do found[kind.name] = kind.found end

function sarif.checked(report)
  local results = {}
  for i, f in ipairs(report) do
    local other = f.other_line and f.other_line > 0
      and { file = f.other_file or f.file or report.file, line = f.other_line,
        column = f.other_column,
        message = "the other access" } or nil
    results[i] = { rule = f.kind, level = "error", related = other,
      message = f.advice and f.message .. "\n" .. f.advice or f.message,
      file = f.file or report.file, line = f.line, column = f.column }
  end
  local order, notes = require "lua.check.text".unordered(report), {}
  if order then notes[1] = "Unordered: " .. order end
  for _, sentence in ipairs(report.unchecked or {}) do
    notes[#notes + 1] = "Not checked: " .. sentence
  end
  return written(results, function(rule) return found[rule] or rule end, notes)
end

--------------------------------------------------------------------------- join

-- GitHub takes one run of a tool for each upload.
function sarif.joined(texts)
  local rules, results, notes, known = list(), list(), {}, {}
  local function add(to, entry, key)
    if known[key] then return end
    known[key] = true
    to[#to + 1] = entry
  end
  for _, text in ipairs(texts) do
    for _, run in ipairs(json.decode(text).runs) do
      for _, rule in ipairs(run.tool.driver.rules) do
        add(rules, rule, "rule " .. rule.id)
      end
      for _, r in ipairs(run.results) do add(results, r, json.encode(r)) end
      for _, i in ipairs(run.invocations or {}) do
        for _, n in ipairs(i.toolExecutionNotifications or {}) do
          add(notes, n.message.text, "note " .. n.message.text)
        end
      end
    end
  end
  for _, r in ipairs(results) do
    list(r.locations)
    if r.relatedLocations then list(r.relatedLocations) end
  end
  return log_of(rules, results, notes)
end

-- A log to a file, or to standard output where the name is "".
function sarif.write(log, name)
  if name == "" then
    print(log)
    return
  end
  local file, why = io.open(name, "wb")
  if not file then error(why, 0) end
  local ok, failed = file:write(log, "\n")
  if ok then ok, failed = file:close() end
  if not ok then error(("%s: %s"):format(name, failed), 0) end
end

return sarif
