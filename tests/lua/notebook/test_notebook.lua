-- What cells show: values in several forms, places that are replaced, progress,
-- pictures, frames of play. A list stands for the notebook.
--
-- Guards: lua/notebook/{mime_bundle, notebook}.lua: what cells show: values in
-- several forms, places that are replaced, progress, pictures, frames of play
local t = dofile "tests/tap.lua"
t.compiler "cells in Metal's language"
local json = require "mettle.json"

local published = {}
package.preload["mettle.notebook"] = function()
  return { base64 = function(bytes) return ("<%d bytes>"):format(#bytes) end,
    cell = function() return 1 end,
    input = function() return "typed" end,
    publish = function(kind, text)
      local content = json.decode(text)
      content.kind = kind
      published[#published + 1] = content
    end }
end
local notebook = require "lua.notebook.notebook"
local mime = require "lua.notebook.mime_bundle"

local function shown(f, ...)
  published = {}
  f(...)
  return published
end

local add = [=[
kernel void add(device float *a, constant uint &n,
                uint i [[thread_position_in_grid]]) { if (i < n) a[i] += 1; }]=]

t.test("text is what the console prints", function()
  t.equal(mime.bundle(3)["text/plain"], "3")
  t.equal(mime.bundle("a\nb")["text/plain"], "a\nb")
  t.equal(mime.bundle({ 1, 2 })["text/plain"], "{1, 2}")
  t.equal(mime.bundle(3)["text/html"], nil)
  t.equal(mime.bundle({ 1, 2 })["text/html"], nil)
end)

t.test("a buffer is a table with its head and tail", function()
  local html = mime.bundle(gpu.buffer(1000):iota())["text/html"]
  t.has(html, "buffer of ")
  t.has(html, "<th style=\"text-align:right\">7</th>")
  t.has(html, "<th style=\"text-align:right\">…</th>")
  t.has(html, "<td style=\"text-align:right\">999</td>")
  t.ok(not html:find(">500<", 1, true))
  local matrix = mime.bundle(gpu.buffer("int", 3, 20):iota())["text/html"]
  t.has(matrix, "<b>2</b>")
  t.has(matrix, ">59<")
  t.has(mime.bundle(gpu.buffer("float4", 2))["text/html"], "(0, 0, 0, 0)")
end)

t.test("HTML is escaped", function()
  local html = mime.bundle(gpu.kernel [=[
template <typename T> struct box { T value; };
kernel void f(device box<float> *a, uint i [[thread_position_in_grid]]) {
  a[i].value = 1;
}]=])["text/html"]
  t.has(html, "box&lt;float&gt;")
  t.ok(not html:find("box<float>", 1, true))
end)

t.test("plots are SVG, pictures PNG, drawings pages", function()
  t.has(mime.bundle(plot { 1, 4, 2 })["image/svg+xml"], "<svg")
  t.has(mime.bundle(gpu.texture("rgba8unorm", 4, 4))["image/png"], " bytes>")
  local k = gpu.kernel(add)
  local page = mime.bundle(draw { k, gpu.buffer(64), 64, grid = 64 })
  t.has(page["text/html"], "<iframe srcdoc=")
  t.has(page["image/svg+xml"], "<svg")
  local r = record { k, gpu.buffer(64), 64, grid = 64 }
  t.has(mime.bundle(r)["text/html"], "<iframe srcdoc=")
end)

t.test("reports keep their lines, and scroll where these do not fit", function()
  local html = mime.bundle(profile { gpu.kernel(add), gpu.buffer(64), 64,
    grid = 64 })["text/html"]
  t.has(html, "white-space:pre;overflow-x:auto")
end)

t.test("pictures stand where the console draws them, with words", function()
  local k, a = gpu.kernel(add), gpu.buffer(64)
  local function pictured(v, words)
    local data = mime.bundle(v)
    t.has(data["image/svg+xml"] or "none", "<svg")
    t.has(data["image/svg+xml"], words)
    t.has(data["text/html"], '<img src="data:image/svg+xml;base64,')
    t.ok(not data["text/html"]:find "█")
    return data["text/html"]
  end
  pictured(gpu.commands(function()
    k { a, 64, grid = 64 }
    k { a, 64, grid = 64 }
  end), "2 launches in one command buffer")
  local html = pictured(compare { k, a, 64, grid = 64, budget = 0.001 },
    "time, shorter is better")
  t.has(html, "<pre")
  t.has(html, 'alt="time, shorter is better: bars, ')
  pictured(sweep { k, a, 64, grid = 64, budget = 0.001,
    group_sizes = { 16, 32 } }, "<line")
  local card = { figures = { { id = "saxpy", title = "saxpy", bytes = 8,
    time = { median = 1, runs = 9, low = 0.99, high = 1.01 }, cpu = { {
      way = "one core", median = 3 } } } },
    device = { name = "host", title = "a CPU" }, machine = {},
    peaks = { memory = 1, operations = 1 } }
  card = require("lua.measure.cards").new(card)
  pictured(card, "how many times as fast as the best CPU")
  pictured(cards(card, card), "how many times as fast as")
end)

-- Every colour of a picture has its twin for dark pages, but for the cells of a
-- heat map, which are numbers.
t.test("plots and pages go with the notebook's theme", function()
  local svg, theme = require "lua.plot.svg", require "lua.plot.theme"
  local series = {}
  for i = 1, 9 do series[i] = { i, 2 * i, 3 } end
  series.second, series.y2 = 9, "right"
  local bars = plot { { "a", -1 }, { "b", 2 }, bars = true, title = "bars" }
  bars.rows[1].best = true
  local pictures = { svg.lines(plot(series)), svg.bars(bars),
    svg.heat(plot { { { 1, 2, 3 }, { 4, 5, 6 } } }),
    svg.timeline { title = "two", whole = 1, concurrent = true, bars = {
      { name = "a", from = 0, to = 1, time = 1, phase = 1 },
      { name = "b", phase = 2 } } } }
  for _, picture in ipairs(pictures) do
    local others = picture:gsub('<g class="cells".-</g>', "")
    for colour in others:gmatch '%f[%w][fs][it][lr][lo]k?e?="([^"]+)"' do
      t.ok(colour == "none" or theme.dark[colour], colour)
    end
    t.has(theme.follow(picture), "prefers-color-scheme:dark")
    t.ok(not picture:find "<style", "a saved picture has a style sheet")
  end
  local k = gpu.kernel(add)
  for _, v in ipairs { plot { 1, 4, 2 },
    draw { k, gpu.buffer(64), 64, grid = 64 },
    record { k, gpu.buffer(64), 64, grid = 64 } } do
    local html = mime.bundle(v)["text/html"]
    t.has(html, '[data-jp-theme-light="false"] .mettle-follows')
    t.has(html, 'class="mettle-follows"')
  end
end)

t.test("findings keep their colours", function()
  local k = gpu.kernel [=[
kernel void f(device float *a, uint i [[thread_position_in_grid]]) {
  a[0] += i;
}]=]
  local data = mime.bundle(check { k, gpu.buffer(64), grid = 64 })
  t.has(data["text/html"], "color:#d1242f")
  t.ok(not data["text/plain"]:find "\27")
  t.ok(not data["text/html"]:find "\27")
end)

t.test("the last value is the result, others are displayed", function()
  local list = shown(notebook.print, nil, 1, "b")
  t.equal(#list, 2)
  t.equal(list[1].kind, "display_data")
  t.equal(list[2].kind, "execute_result")
  t.equal(list[2].data["text/plain"], "b")
  t.equal(#shown(notebook.print, nil, nil), 0)
  t.equal(#shown(notebook.print, nil, io.stdout), 0)
end)

t.test("pictures have words for those who do not see them", function()
  local list = shown(notebook.print, nil, plot { 1, 4, 2, title = "growth" })
  local words = "growth: 3 points, values from 1 to 4"
  t.equal(list[1].metadata["image/svg+xml"].alt, words)
  t.has(list[1].data["text/html"], 'alt="' .. words .. '"')
  local data = mime.bundle(gpu.texture("rgba8unorm", 4, 4))
  t.has(data["text/html"], 'alt="texture')
  t.has(data["text/html"], "width:128px") -- four pixels would be a dot
end)

t.test("a place is replaced", function()
  local place = notebook.place()
  local list = shown(function()
    place:show { ["text/plain"] = "one" }
    place:show { ["text/plain"] = "two" }
  end)
  t.equal(list[1].kind, "display_data")
  t.equal(list[2].kind, "update_display_data")
  t.equal(list[1].transient.display_id, list[2].transient.display_id)
end)

t.test("%%msl makes variables", function()
  local k = notebook.msl(" mine ", "\n" .. add)
  t.equal(_G.mine, k)
  t.equal(_G.add, nil)
  notebook.msl("", "\n" .. add)
  t.equal(_G.add.name, "add")
  notebook.msl("both", "\n" .. add .. "\n" .. add:gsub("void add", "void plus"))
  t.equal(_G.plus.name, "plus")
  t.equal(#_G.both:kernels(), 2)
  t.raises("the name of a variable is expected", notebook.msl, "a b", add)
  t.raises("program_source:3:", notebook.msl, "x", "\n\nkernel void f() { y; }")
end)

t.test("help on what stands at the cursor", function()
  t.has(notebook.inspect("gpu.buffer(3)", 6), "gpu.buffer")
  t.has(notebook.inspect("compare{k, ", 11), "compare")
  b = gpu.buffer(3)
  t.has(notebook.inspect("b:fill(1)", 4), "fill")
  t.equal(notebook.inspect("unknown", 3), nil)
  t.equal(notebook.inspect("", 0), nil)
end)

t.test("in a notebook pictures, progress and play are the page's", function()
  notebook.begin()
  t.equal(io.read(), "typed")
  t.has(shown(print, plot { 1, 4, 2 })[1].data["image/svg+xml"], "<svg")
  t.equal(#shown(print, "#", 1), 0)
  local list = shown(image, { { 0, 1 }, { 1, 0 } })
  t.has(list[1].data["image/png"], "bytes>")
  list = shown(function()
    local p = require("lua.session.progress").new("long work", 2)
    p.start = p.start - 5
    p:step "first"
    p:done()
  end)
  t.has(list[1].data["text/plain"], "long work [")
  t.equal(list[2].data["text/plain"], "")
  list = shown(function()
    local view = require("lua.play.view").open(nil, "x", 4, 4)
    local frame = require("mettle.frame").new(4, 4)
    view:show(frame, "", "60 fps", 1)
    view:show(frame, "", "60 fps", 1)
    view:show(frame, "does not compile", "60 fps", 2)
  end)
  t.equal(#list, 2)
  t.has(list[1].data["text/html"], 'alt="60 fps"')
  t.has(list[2].data["text/html"], "does not compile")
  t.equal(list[2].kind, "update_display_data")
end)

t.done()
