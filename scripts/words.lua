-- words.lua - writes docs/glossary.md, cuda.md, numpy.md and torch.md from the
-- texts that glossary, cuda, numpy and torch show.
--
--   build/mettle scripts/words.lua glossary > docs/glossary.md      (make docs)
local glossary = require "lua.reference.glossary"

local place = require "site.markdown".place

local function linked(text)
  text = text:gsub("%[([^%[%]]+)%]%(glossary:([^)]*)%)", function(label, name)
    return "[" .. label .. "](#" .. place(glossary.find(name).term) .. ")"
  end)
  return (text:gsub("%]%(help:([^)]*)%)",
    function(name) return "](lua.md#" .. place(name) .. ")" end))
end

local function write_glossary()
  print [[
# Glossary

The words around Metal compute kernels, as `glossary "word"` shows them at the prompt. This page is made from
`lua/reference/glossary` by `make docs`; the tests compile and run the examples. Lines that are not a whole kernel
stand in one that has float buffers `a`, `b` and `out`, numbers `n`, `i`, `t`, `lane` and `group`, and
`threadgroup float tile[256]`.
]]
  local theme
  for _, page in ipairs(glossary.pages()) do
    if page.theme ~= theme then print("## " .. page.theme.title .. "\n") end
    theme = page.theme
    print("### " .. page.term .. "\n")
    local others = {}
    if page.cuda then others[1] = "CUDA: " .. page.cuda end
    if page.opencl then others[#others + 1] = "OpenCL: " .. page.opencl end
    if #others > 0 then print("`" .. table.concat(others, "; ") .. "`\n") end
    print(linked(page.text) .. "\n")
  end
end

local titles = {
  cuda =
    { "CUDA's words",
      'For those who know CUDA: Metal\'s word for each of theirs, and the same small program in both. At the prompt,\n`cuda "blockIdx"` looks one up.' },
  numpy =
    { "NumPy's words",
      'For those who know NumPy, PyTorch, JAX or MLX: what to write here, and the kernel beneath. At the prompt,\n`numpy "sum"` looks one up. `help "libraries"` says when to use a library instead.' },
  torch =
    { "PyTorch's, MLX's and JAX's words",
      'For those who know one of the three: what to write here. At the prompt, `torch "relu"` looks one up, and\n`torch "mx.softmax"` too.' },
}

-- Below each part: an example for each of its words.
local function with_examples(name, text)
  local parts = require "lua.reference.rosetta".load(name).parts
  local out = {}
  text = ("\n" .. text):gsub("\n## ", "\0") .. "\0"
  for part in text:gmatch "%z([^%z]+)" do
    local list = { "## " .. part:gsub("\n+$", ""),
      "### Each of these words by itself" }
    for _, entry in ipairs(parts[#out + 1].entries) do
      list[#list + 1] = ("`%s`\n\n```lua\n%s\n```"):format(entry.words[1],
        entry.example.text)
    end
    out[#out + 1] = table.concat(list, "\n\n")
  end
  return table.concat(out, "\n\n")
end

local function write_dictionary(name)
  local file = assert(io.open("lua/reference/rosetta/" .. name .. ".md"))
  local text = file:read "a"
  file:close()
  print("# " .. titles[name][1] .. "\n\n" .. titles[name][2]
    .. " This page is made from\n`lua/reference/rosetta/"
    .. name
      .. ".md` by `make docs`; the tests run the programs, where `k` is the kernel above.\n")
  text = with_examples(name, text)
  print((text:gsub("\n(| [^\n]*`[^\n]*|) ([^|\n]+) |([^|\n]*)|",
    function(before, term, note)
    local page = glossary.find(term)
    return "\n" .. before .. " [" .. term .. "](glossary.md#"
      .. place(page.term) .. ") |" .. note .. "|"
  end):gsub("\n+$", "")))
end

local wanted = arg[1]
if wanted == "glossary" then write_glossary()
elseif titles[wanted or ""] then write_dictionary(wanted)
else error("words.lua glossary, cuda, numpy or torch", 0) end
