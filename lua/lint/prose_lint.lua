-- prose_lint.lua - words that read as translated, and what to write instead.
--
--   prose_lint.faults(text)   a list of { line, word, instead }
--
-- For all that people read: lessons, help, glossary, messages, documents, and
-- the comments of the sources. The linter of lessons and
-- tests/lua/docs/test_prose_lint.lua use it. Code is left out: what stands
-- between backquotes, and lines that are indented by four.
local prose_lint = {}

-- A word or phrase, what to write, and phrases in which it is right.
local list = {
  { "behind", "past the end, after, or what really stands there",
    "hide behind", "furthest behind", "falls behind", "fall behind" },
  { "mend", "fix" }, { "mends", "fixes" }, { "mended", "fixed" },
  { "mending", "fixing" },
  { "anew", "again" },
  { "nobody", "no thread, or the passive" },
  { "somebody", "another thread, or the person's name" },
  { "whoever", "if you" },
  { "dear", "costly" }, { "dearer", "costlier" }, { "dearest", "costliest" },
  { "for who", "for a user who, or the noun that is meant",
    "nvidia-smi for who" },
  { "of who", "of the one who, or the noun that is meant" },
  { "so who", "so a user who, or the noun that is meant" },
  { "by who", "by the noun that is meant" },
  { "than who", "than the noun that is meant" },
  { "on the average", "on average" },
  { "outside of", "outside" }, { "inside of", "inside", "the inside of" },
  { "is no multiple", "is not a multiple" },
  { "beyond the end", "past the end" },
  { "has always", "always has" },
  { "have always", "always have" },
  { "of them different", "distinct" },
  { "sit before", "sit at" },
  { "as one heap", "in one piece" },
  { "the checker is silent", "no races or out-of-bounds accesses" },
  { "too much yet", "still too much" },
  { "hold the index against", "compare the index with" },
  { "held against", "compared with" },
  { "is, tells", "put the subject first" },
  { "come to this barrier", "reach this barrier" },
  { "comes to this barrier", "reaches this barrier" },
  { "say the same words", "execute the same calls" },
}

-- Plain text of a line: without code, in lower case.
local function plain(line)
  if line:find "^    " then return "" end
  return (line:gsub("`[^`]*`", "`"):gsub("%[%[.-%]%]", "["):lower())
end

local function excused(text, first, last, entry)
  for i = 3, #entry do
    local at = 1
    while true do
      local from, to = text:find(entry[i], at, true)
      if not from then break end
      if from <= first and last <= to then return true end
      at = to + 1
    end
  end
  return false
end

local function pattern_of(words)
  return "%f[%w]" .. words:gsub("%p", "%%%0"):gsub(" ", "%%s+") .. "%f[%W]"
end
for _, entry in ipairs(list) do entry.pattern = pattern_of(entry[1]) end

-- "who" where a sentence begins: "Who comes from CUDA writes …".
local function who_begins(text)
  return (text:find "^who %l" or text:find "[.;] who %l")
    and not text:find "%?"
end

function prose_lint.faults(text)
  local faults, number, fenced = {}, 0, false
  for line in (text .. "\n"):gmatch "([^\n]*)\n" do
    number = number + 1
    if line:find "^%s*```" then
      fenced = not fenced
    elseif not fenced then
      local words = plain(line)
      local function add(word, instead)
        faults[#faults + 1] = { line = number, word = word, instead = instead }
      end
      for _, entry in ipairs(list) do
        local first, last = words:find(entry.pattern)
        if first and not excused(words, first, last, entry) then
          add(entry[1], entry[2])
        end
      end
      if who_begins(words) then add("who", "people who, or you") end
    end
  end
  return faults
end

return prose_lint
