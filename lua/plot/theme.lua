-- theme.lua - plots that go with a dark or a light page.
--
--   theme.follow(svg)   the picture of lua/plot/svg.lua with a style sheet that
--                       makes it dark where the page around it is
--   theme.class, theme.css   the class of an element that holds such a picture,
--                       or a page of lua/text/pages, and the rules for it
--
-- A picture in an <img> sees nothing of the page but whether the element's
-- color-scheme is dark: the media query prefers-color-scheme says that inside.
-- A saved picture has no style sheet, and is on white everywhere.
local theme = {}

-- Each colour of lua/plot/svg.lua as it reads on the dark ground.
local dark = {
  white = "#111111", ["#333"] = "#bbbbbb", ["#555555"] = "#a8a8a8",
  ["#dddddd"] = "#3a3a3a", ["#e5e5e5"] = "#333333",
  ["#0b61a4"] = "#6cb6ff", ["#c2410c"] = "#ff9a5c", ["#15803d"] = "#57d38c",
  ["#7e22ce"] = "#c99bff", ["#a16207"] = "#e3b341", ["#be123c"] = "#ff7b93",
  ["#0e7490"] = "#56d4e8", ["#4d4d4d"] = "#b3b3b3",
}
theme.dark = dark

-- The colours of a heat map's cells are numbers: they stay.
local function rules()
  local out = { "text{fill:#e8e8e8}" }
  for colour, twin in pairs(dark) do
    for _, what in ipairs { "fill", "stroke" } do
      out[#out + 1] = ('[%s="%s"]:not(.cells *){%s:%s}')
        :format(what, colour, what, twin)
    end
  end
  table.sort(out)
  return table.concat(out)
end

local sheet

function theme.follow(svg)
  sheet = sheet or ("<style>@media (prefers-color-scheme:dark){%s}</style>")
    :format(rules())
  return (svg:gsub("^<svg[^>]*>", function(tag) return tag .. sheet end, 1))
end

-- JupyterLab and its exports, VS Code and Colab say in these ways that they are
-- dark; a page that does not say so is taken for light.
theme.class = "mettle-follows"
local marks = { '[data-jp-theme-light="false"]', ".vscode-dark",
  ".vscode-high-contrast:not(.vscode-high-contrast-light)",
    'html[theme="dark"]' }

local function on_dark_pages()
  local selectors = {}
  for i, mark in ipairs(marks) do
    selectors[i] = mark .. " ." .. theme.class
  end
  return table.concat(selectors, ",")
end

theme.css = (".%s{color-scheme:light}%s{color-scheme:dark}")
  :format(theme.class, on_dark_pages())

return theme
