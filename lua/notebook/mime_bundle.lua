-- mime_bundle.lua - a value in the forms that a notebook can show.
--
--   mime.bundle(v)               {["text/plain"] = …, ["text/html"] = …, …}
--   mime.picture(p)              the same of a picture (mettle.picture)
--   mime.frame(p, above, below)  of one of many, which replace each other
--   mime.describe(data)          a line for those who do not see it
--
-- Text is what the console prints. HTML takes its colours from the notebook's
-- theme: only shades of the current colour, and a few that read well on light
-- and dark pages.
local plot = require "lua.plot.plot"
local show = require "lua.session.show"
local style = require "lua.text.style"
local theme = require "lua.plot.theme"

local mime = {}
local escape = require("lua.text.page").escape

-- ------------------------------------------------------ coloured text as HTML

local colours = { ["1"] = "font-weight:bold", ["2"] = "opacity:.65",
  ["31"] = "color:#d1242f", ["32"] = "color:#1a7f37", ["33"] = "color:#9a6700",
  ["36"] = "color:#0a7ea4", ["90"] = "opacity:.65" }

-- Text with the terminal's colours as preformatted HTML. It has its own lines:
-- where they do not fit, one scrolls.
local function preformatted(text)
  local open = 0
  local html = escape(text):gsub("\27%[([%d;]*)m", function(codes)
    local styles = {}
    for code in codes:gmatch "%d+" do styles[#styles + 1] = colours[code] end
    if #styles > 0 then
      open = open + 1
      return ('<span style="%s">'):format(table.concat(styles, ";"))
    end
    local closed = ("</span>"):rep(open)
    open = 0
    return closed
  end)
  return '<pre style="margin:0;font-family:monospace;line-height:1.25;'
    .. 'white-space:pre;overflow-x:auto">' .. html:gsub("\27%[[%d;?]*%a", "")
    .. ("</span>"):rep(open) .. "</pre>"
end

-- ---------------------------------------------------------------------- tables

local function row(cells, tag, align)
  local out = {}
  for i, cell in ipairs(cells) do
    out[i] = ('<%s style="text-align:%s">%s</%s>'):format(tag,
      align and align[i] or "right", cell, tag)
  end
  return "<tr>" .. table.concat(out) .. "</tr>"
end

local function number(v)
  if type(v) == "table" then
    local parts = {}
    for i, each in ipairs(v) do parts[i] = number(each) end
    return "(" .. table.concat(parts, ", ") .. ")"
  end
  if math.type(v) == "float" then return escape(("%.6g"):format(v)) end
  return escape(v)
end

local HEAD, TAIL = 8, 4 -- rows and columns of a buffer that are shown

-- The indices shown of n: all, or the first and the last; false is a gap.
local function indices(n)
  local list = {}
  for i = 0, n - 1 do
    if n <= HEAD + TAIL or i < HEAD or i >= n - TAIL then list[#list + 1] = i
    elseif i == HEAD then list[#list + 1] = false end
    if n > HEAD + TAIL and i == HEAD then
      for last = n - TAIL, n - 1 do list[#list + 1] = last end
      break
    end
  end
  return list
end

local function line_of_buffer(b)
  local head, cells = { "" }, { "" }
  for _, i in ipairs(indices(#b)) do
    head[#head + 1] = i and tostring(i) or "…"
    cells[#cells + 1] = i and number(b[i]) or "…"
  end
  return row(head, "th") .. row(cells, "td")
end

local function matrix_of_buffer(b)
  local rows, columns = b.shape[1], b.shape[2]
  local head, out = { "" }, {}
  for _, c in ipairs(indices(columns)) do
    head[#head + 1] = c and tostring(c) or "…"
  end
  out[1] = row(head, "th")
  for _, r in ipairs(indices(rows)) do
    local cells = { r and "<b>" .. r .. "</b>" or "…" }
    for _, c in ipairs(indices(columns)) do
      cells[#cells + 1] = r and c and number(b[r * columns + c]) or "…"
    end
    out[#out + 1] = row(cells, "td")
  end
  return table.concat(out)
end

local function of_buffer(b)
  if #b == 0 then return nil end
  return ('<div>buffer of %s %s</div><table>%s</table>'):format(
    table.concat(b.shape, " × "), escape(b.type),
    #b.shape == 2 and matrix_of_buffer(b) or line_of_buffer(b))
end

local doing = { read = "read it", write = "write it",
  read_write = "read and write it", none = "nothing" }
local function does(p)
  local memory = p.kind == "buffer" or p.kind == "texture"
  return memory and doing[p.access] or ""
end

local function of_kernel(k)
  local left = { "left", "left", "left", "left" }
  local rows = { row({ "parameter", "kind", "the kernel does", "declared as" },
    "th", left) }
  for _, p in ipairs(k.params) do
    rows[#rows + 1] = row({ "<b>" .. escape(p.name) .. "</b>", escape(p.kind),
      escape(does(p)), "<code>" .. escape(p.text) .. "</code>" }, "td", left)
  end
  return ("<div>kernel <b>%s</b> on %s, at most %d threads a "
    .. "threadgroup</div><table>%s</table>")
    :format(escape(k.name), escape(k.device), k.max_threads, table.concat(rows))
end

-- For what shall be dark where the notebook is.
local following = ("<style>%s</style>"):format(theme.css)

-- A page of its own, with scripts, inside the notebook's.
local function framed(page, height, title)
  return following .. ('<iframe srcdoc="%s" title="%s" '
    .. 'class="%s" style="width:100%%;height:%dpx;border:0" '
    .. 'sandbox="allow-scripts"></iframe>')
    :format(escape(page), escape(title), theme.class, height)
end

-- -------------------------------------------------------------------- pictures

local function base64(bytes) return require("mettle.notebook").base64(bytes) end

-- As an element of its own: notebooks show the forms image/png and
-- image/svg+xml without a word for those who do not see them.
local function img(kind, encoded, alt, css)
  return ('<img src="data:%s;base64,%s" alt="%s" class="%s" '
    .. 'style="max-width:100%%;%s">')
    :format(kind, encoded, escape(alt), theme.class, css or "")
end

local function svg_img(svg, alt)
  return following .. img("image/svg+xml", base64(theme.follow(svg)), alt)
end

local SMALL = 128 -- pixels: a smaller picture is shown larger

local function png_img(p, encoded, alt)
  local times = math.max(1, SMALL // math.max(p.width, p.height, 1))
  return img("image/png", encoded, alt,
    ("width:%dpx;image-rendering:%s;outline:1px solid #8886"):format(
      times * p.width, times > 1 and "pixelated" or "auto"))
end

local function svg_of(p)
  local draws = require("lua.plot.svg")[p.kind]
  return draws and draws(p)
end

-- ------------------------------------------- for those who do not see pictures

local function range_of(series)
  local low, high, points = math.huge, -math.huge, 0
  for _, one in ipairs(series) do
    points = points + #one
    for _, point in ipairs(one) do
      low, high = math.min(low, point[2]), math.max(high, point[2])
    end
  end
  return low, high, points
end

local in_words = {}

function in_words.bars(p)
  local list = {}
  for i = 1, math.min(#p.rows, 12) do
    list[i] = p.rows[i][1] .. " " .. p.rows[i][3]
  end
  return "bars, " .. table.concat(list, "; ")
end

function in_words.lines(p)
  local low, high, points = range_of(p.series)
  local title = require("lua.plot.scale").title(p.y or {})
  return ("%d points%s, %s from %.4g to %.4g"):format(points,
    #p.series > 1 and (" in %d lines"):format(#p.series) or "",
    title ~= "" and title or "values", low, high)
end

local function plot_in_words(p)
  local say = in_words[p.kind]
  local words = say and say(p) or "a heat map"
  return p.title and p.title .. ": " .. words or words
end

local alts = setmetatable({}, { __mode = "k" }) -- what was said of bundles

-- One line about the picture of a bundle: what was said of it, or the first
-- line of its text.
function mime.describe(data)
  local line = data["text/plain"]:match "[^\n]*%a[^\n]*" or "a picture"
  return alts[data] or line:match "^%s*(.-)%s*$"
end

-- -------------------------------------------------------------------- bundles

function mime.picture(p, alt)
  local png, words = base64(p:png()), alt or tostring(p)
  return { ["image/png"] = png, ["text/plain"] = words,
    ["text/html"] = png_img(p, png, words) }
end

-- A frame of play, with what is said above and below it. Ten of these come a
-- second, so there is one form of it.
function mime.frame(p, above, below)
  local is_above = above ~= ""
  return { ["text/plain"] = is_above and above .. "\n" .. below or below,
    ["text/html"] = (is_above and preformatted(above) or "")
      .. png_img(p, base64(p:png()), below) .. preformatted(below) }
end

local function picture_of_texture(t)
  local ok, p = pcall(require("mettle.picture").of, t)
  return ok and p or nil
end

-- By the name of the type: fills in the forms beside the text.
local of = {}

function of.buffer(b, data) data["text/html"] = of_buffer(b) end
function of.kernel(k, data) data["text/html"] = of_kernel(k) end

function of.texture(t, data)
  local p = picture_of_texture(t)
  if not p then return end
  local shown = mime.picture(p, data["text/plain"])
  data["image/png"], data["text/html"] = shown["image/png"], shown["text/html"]
end

function of.plot(p, data)
  local svg = svg_of(p)
  alts[data] = plot_in_words(p)
  data["image/svg+xml"] = svg
  data["text/html"] = svg and svg_img(svg, alts[data])
end

function of.drawing(d, data)
  data["image/svg+xml"] = require("lua.draw.svg").document(d)
  local page = require("lua.draw.html").page(d)
  data["text/html"] = framed(page, 560, "threads over memory")
end

-- What the console prints, in its colours; nil if that fails.
local function in_colours(v)
  local before = style.forced
  style.forced = true
  local meta = debug.getmetatable(v)
  local shows = rawget(meta, "__show") or rawget(meta, "__tostring")
  local ok, text = pcall(shows, v)
  style.forced = before
  return ok and type(text) == "string" and text or nil
end

-- The text of v and the plots that it has drawn, each by a mark in the text.
local MARK = "\1"
local function text_and_plots(v)
  local plots = {}
  plot.instead = function(p)
    plots[#plots + 1] = p
    return MARK
  end
  local text = in_colours(v)
  plot.instead = nil
  local more = #plots == 0 and v.chart and v:chart()
  if text and more and #(more.rows or more.series or {}) > 0 then
    plots[1], text = more, text .. "\n" .. MARK
  end
  return text, plots
end

-- The text with pictures where the console has drawn ones.
local function with_plots(v, data)
  local text, plots = text_and_plots(v)
  local html, words = {}, {}
  for part, mark in (text or ""):gmatch "([^\1]*)(\1?)" do
    if part:find "%S" then
      html[#html + 1] = preformatted(part:match "^\n?(.-)\n?$")
    end
    local p = mark ~= "" and plots[#words + 1]
    if p then
      local svg = svg_of(p)
      words[#words + 1] = plot_in_words(p)
      html[#html + 1] = "<div>" .. svg_img(svg, words[#words]) .. "</div>"
      data["image/svg+xml"] = data["image/svg+xml"] or svg
    end
  end
  data["text/html"] = text and table.concat(html)
  alts[data] = words[1]
end
for _, name in ipairs { "card", "cards", "sweep", "comparison" } do
  of[name] = with_plots
end

-- The timeline's title is what the text says above and below it.
function of.commands(r, data)
  data["image/svg+xml"] = r:svg()
  data["text/html"] = svg_img(data["image/svg+xml"], mime.describe(data))
end

-- The stepper, as r:save writes it.
function of.recording(r, data)
  local page = require("lua.record.html").page(r)
  data["text/html"] = framed(page, 640, "step through a kernel")
end

function mime.bundle(v)
  local text, cut = show.text(v)
  if cut then text = text .. "\n-- cut: show(_) prints all of it" end
  local data = { ["text/plain"] = text }
  local meta = debug.getmetatable(v)
  local name = type(meta) == "table" and rawget(meta, "__name")
  local form = type(v) ~= "string" and type(name) == "string"
    and of[name:gsub("^mettle%.", "")]
  if form then
    local ok, why = pcall(form, v, data)
    if not ok then -- the text stays
      io.stderr:write("mettle: ", tostring(why), "\n")
    end
  elseif type(v) == "table" and type(meta) == "table" then
    local text = in_colours(v)
    local coloured = text and text:find "\27%["
    data["text/html"] = coloured and preformatted(text) or nil
  end
  return data
end

return mime
