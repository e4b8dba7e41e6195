-- notebook_forms.lua - a value in the forms that a notebook can show.
--
--   forms.bundle(v)   {["text/plain"] = …, ["text/html"] = …, …}
--   forms.picture(p)  the same of a picture (mettle.picture)
--
-- Text is what the console prints. HTML takes its colours from the notebook's
-- theme: only shades of the current colour, and a few that read well on light
-- and dark pages.
local show = require "lua.show"
local style = require "lua.style"

local forms = {}
local escape = require("lua.page").escape

-- ------------------------------------------------------ coloured text as HTML

local colours = { ["1"] = "font-weight:bold", ["2"] = "opacity:.65",
  ["31"] = "color:#d1242f", ["32"] = "color:#1a7f37", ["33"] = "color:#9a6700",
  ["36"] = "color:#0a7ea4", ["90"] = "opacity:.65" }

-- Text with the terminal's colours as preformatted HTML.
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
    .. 'white-space:pre">' .. html:gsub("\27%[[%d;?]*%a", "")
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

local function of_kernel(k)
  local left = { "left", "left", "left" }
  local rows = { row({ "parameter", "kind", "declared as" }, "th", left) }
  for _, p in ipairs(k.params) do
    rows[#rows + 1] = row({ "<b>" .. escape(p.name) .. "</b>", escape(p.kind),
      "<code>" .. escape(p.text) .. "</code>" }, "td", left)
  end
  return ("<div>kernel <b>%s</b> on %s, at most %d threads a threadgroup</div><table>%s</table>")
    :format(escape(k.name), escape(k.device), k.max_threads, table.concat(rows))
end

-- A page of its own, with scripts, inside the notebook's.
local function framed(page, height, title)
  return ('<iframe srcdoc="%s" title="%s" style="width:100%%;height:%dpx;border:0" sandbox="allow-scripts"></iframe>')
    :format(escape(page), escape(title), height)
end

-- -------------------------------------------------------------------- bundles

-- One line about what a picture shows: the first words of its text, which may
-- be drawn itself.
function forms.describe(data)
  for line in data["text/plain"]:gmatch "[^\n]+" do
    local words = line:match "%a[%w ,×:()%-]+"
    if words and #words > 5 then return words end
  end
  return "a plot"
end

function forms.picture(p, alt)
  return { ["image/png"] = require("mettle.notebook").base64(p:png()),
    ["text/plain"] = alt or tostring(p) }
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
  if p then data["image/png"] = forms.picture(p)["image/png"] end
end

function of.plot(p, data)
  local svg = require("lua.plot_svg")[p.kind]
  data["image/svg+xml"] = svg and svg(p)
end

function of.drawing(d, data)
  data["image/svg+xml"] = require("lua.draw_svg").document(d)
  local page = require("lua.draw_html").page(d)
  data["text/html"] = framed(page, 560, "threads over memory")
end

-- What the console prints in colours is so here.
local function in_colours(v)
  local before = style.forced
  style.forced = true
  local meta = debug.getmetatable(v)
  local shows = rawget(meta, "__show") or rawget(meta, "__tostring")
  local ok, text = pcall(shows, v)
  style.forced = before
  local coloured = ok and type(text) == "string" and text:find "\27%["
  return coloured and preformatted(text) or nil
end

-- A table of text, and below it the picture that v:save would write.
local function with_picture(v, data, svg)
  if not svg then return end
  data["image/svg+xml"] = svg
  data["text/html"] = (in_colours(v) or preformatted(data["text/plain"]))
    .. ('<div role="img" aria-label="%s">%s</div>'):format(
      escape(forms.describe(data)), svg)
end

local function svg_of(plot)
  return plot and require("lua.plot_svg")[plot.kind](plot)
end

function of.commands(r, data) with_picture(r, data, r:svg()) end
function of.card(c, data) with_picture(c, data, svg_of(c:chart())) end
function of.cards(c, data) with_picture(c, data, svg_of(c:chart())) end
function of.sweep(r, data) with_picture(r, data, svg_of(r:chart())) end
function of.comparison(r, data)
  local chart = r.rows and r:chart()
  with_picture(r, data, chart and #chart.rows > 0 and svg_of(chart) or nil)
  data["text/html"] = data["text/html"] or in_colours(r)
end

-- The stepper, as r:save writes it.
function of.recording(r, data)
  local page = require("lua.record_html").page(r)
  data["text/html"] = framed(page, 640, "step through a kernel")
end

function forms.bundle(v)
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
    data["text/html"] = in_colours(v)
  end
  return data
end

return forms
