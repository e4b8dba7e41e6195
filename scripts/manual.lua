-- manual.lua - the manual page mettle(1), from what --help says; make install
-- writes it.
local system = require "mettle.system"

local function said(words)
  local pipe =
    assert(io.popen(("'%s' %s 2>/dev/null </dev/null"):format(system.program,
      words)))
  local text = pipe:read "a"
  pipe:close()
  return text
end

-- roff reads backslashes, and lines that begin with a dot or an apostrophe.
local function plain(text)
  return (text:gsub("\\", "\\e"):gsub("%-", "\\-"):gsub("^([.'])", "\\&%1"))
end

local out = {}
local function add(...) out[#out + 1] = string.format(...) end

-- "  -v, --version   print the version" -> a paragraph with a tag. Deeper lines
-- and those after a blank belong to the tag before.
local function add_entries(text)
  for line in text:gmatch "[^\n]+" do
    local tag, what = line:match "^  ? ? ? ? ?(%S.-)   *(%S.*)$"
    if tag and line:find "^  ? ? ? ? ?[%a%-]" then
      add(".TP\n\\fB%s\\fR\n%s", plain(tag), plain(what))
    elseif line:find "%S" then
      add("%s", plain(line:match "^%s*(.*)$"))
    end
  end
end

local help = said "--help"
local commands, options = help:match "\n\n(.-)\n\n(.-)\n\n"
add('.TH METTLE 1 "" "mettle %s"', system.version)
add ".SH NAME\nmettle \\- a Lua console for Metal compute kernels"
add ".SH SYNOPSIS\n.B mettle\n[OPTIONS] [FILE ...]\n.br\n.B mettle\nCOMMAND ..."
add(".SH DESCRIPTION\n%s", table.concat({
  "Mettle compiles kernels in Metal's shading language at run time, launches them over buffers that Lua shares",
  "with them, and compares their time and answer with references on the processor. On a Mac they run on its GPU,",
  "with NVIDIA's driver on its GPU, and everywhere on the processor. In the console,",
  "\\fBhelp\\fR lists what there is, and \\fBlesson(1)\\fR begins the course." }, "\n"))
add ".SH COMMANDS"
add_entries(commands)
add ".SH OPTIONS"
add_entries(options)
for name in commands:gmatch "\n  mettle (%l+) " do
  add(".SH MORE ABOUT %s\n.nf", name:upper())
  for line in said(name .. " --help"):gmatch "[^\n]+" do
    add("%s", plain(line))
  end
  add ".fi"
end
add(".SH EXIT STATUS\n%s", plain(help:match "\nExit status: (.*)$"
  :gsub("%s*\n%s*", " "):gsub("^%l", string.upper):gsub(" $", "")))
add ".SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\nno colours"
add ".TP\n\\fBMETTLE_DEVICE\\fR\nthe device to begin with: metal, cuda or host"
add ".TP\n\\fBMETTLE_THREADS\\fR\nhow many cores the host device uses"
add ".TP\n\\fBXDG_CACHE_HOME\\fR, \\fBXDG_STATE_HOME\\fR\nfolders of compiled code, and of history and progress"
print(table.concat(out, "\n"))
