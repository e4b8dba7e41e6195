-- markdown.lua - Markdown as HTML, by cmark-gfm, with what our pages need
-- beside: headings that can be linked to, code in colours, tables that scroll.
--
--   markdown.html(text, link)   the HTML, and its headings: { level, id, text }
--
-- 'link' is called with each address, and says where it leads on the site.
local highlight = require "site.highlight"

local markdown = {}

local COMMAND = "cmark-gfm -e table -e strikethrough --unsafe"

-- io.popen goes one way: the text lies in a file.
local function run(text)
  local path = os.tmpname()
  local f = assert(io.open(path, "w"))
  f:write(text)
  f:close()
  local pipe = assert(io.popen(COMMAND .. " " .. path))
  local html = pipe:read "a"
  local ok = pipe:close()
  os.remove(path)
  if not ok then
    error("cmark-gfm is missing or failed: make site installs it", 0)
  end
  return html
end

local names = { amp = "&", lt = "<", gt = ">", quot = '"' }
local function plain(html)
  return (html:gsub("<[^>]*>", ""):gsub("&(%a+);", names))
end
markdown.plain = plain

-- As GitHub names the place of a heading, so that links in the files work in
-- both: letters, digits, - and _ stay, blanks become -, all else goes.
function markdown.place(text)
  local s = text:lower():gsub("[\0-\31!-,./:-@\91-\94`{-\127]", "")
    :gsub(" ", "-")
  return s
end

local function with_places(html, headings)
  local seen = {}
  return (html:gsub("<h(%d)>(.-)</h%d>", function(level, inner)
    local id = markdown.place(plain(inner))
    local times = seen[id] or 0
    seen[id] = times + 1
    if times > 0 then id = id .. "-" .. times end
    headings[#headings + 1] = { level = tonumber(level), id = id,
      text = plain(inner) }
    return ('<h%s id="%s">%s</h%s>'):format(level, id, inner, level)
  end))
end

local CODE = '<pre><code class="language%-([%w+]+)[^"]*">(.-)</code></pre>'

local function with_colours(html)
  return (html:gsub(CODE, function(language, code)
    return ('<pre class="%s"><code>%s</code></pre>'):format(language,
      highlight.html(plain(code), language))
  end))
end

local function with_links(html, link)
  local function replaced(attribute)
    return function(address)
      return ('%s="%s"'):format(attribute, link(plain(address)))
    end
  end
  return (html:gsub('href="([^"]*)"', replaced "href")
    :gsub('src="([^"]*)"', replaced "src"))
end

function markdown.html(text, link)
  local headings = {}
  local html = with_colours(with_places(run(text), headings))
  html = html:gsub("<table>", '<div class="wide"><table>')
    :gsub("</table>", "</table></div>")
  return with_links(html, link), headings
end

return markdown
