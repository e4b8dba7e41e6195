-- views.lua FOLDER ROUNDS - random structs for the views of other languages:
-- FOLDER/N.metal has two kernels for each struct, FOLDER/N.txt what the model
-- says of them. A line is a word and its values:
--
--   struct S3 SIZE ALIGN PACKED   leaf PATH OFFSET SCALAR VALUE   image BYTES
--
-- 'write_S3' gives every leaf its value, one after the other (leaves of a union
-- share bytes: the last one holds); the image is what the struct then is.
-- 'copy_S3' copies a struct's bytes. PACKED is 1 if anything in it is packed:
-- where such a struct lies as if it were not, a greater alignment may be said.
local model = dofile "tests/layout/model.lua"
local folder, rounds = arg[1], tonumber(arg[2])

local state = 4711
local function random(n)
  state = (state * 1103515245 + 12345) % 2147483648
  return state // 65536 % n
end

local kernels = [=[
kernel void write_%s(device %s *s) {
%s}
kernel void copy_%s(device const %s *s, device uchar *o) {
  for (uint i = 0; i < sizeof(%s); i++) o[i] = ((device const uchar *)s)[i];
}
]=]

local function is_packed(t)
  while t.element do t = t.element end
  if not t.fields then return false end
  local packed = t.how.packed or t.how.pack
  for _, f in ipairs(t.fields) do
    packed = packed or f.packed or is_packed(f.type)
  end
  return packed
end

local function cases(s)
  local lines, stores = {}, {}
  lines[1] = ("struct %s %d %d %d"):format(s.text, s.size, s.align,
    is_packed(s) and 1 or 0)
  for number, leaf in ipairs(s.leaves) do
    local v = model.value(leaf, number)
    lines[#lines + 1] = ("leaf %s %d %s %d"):format(leaf.path:gsub("^%.", ""),
      leaf.offset, leaf.scalar, v == true and 1 or v or 0)
    stores[#stores + 1] = ("  s->%s = (%s)%s;\n"):format(
      leaf.path:gsub("^%.", ""), leaf.enum or leaf.scalar, v)
  end
  lines[#lines + 1] = "image " .. model.image(s, true)
  local n = s.text
  return table.concat(lines, "\n") .. "\n",
    kernels:format(n, n, table.concat(stores), n, n, n)
end

local function write(name, text)
  local f <close> = assert(io.open(name, "w"))
  f:write(text)
end

for round = 1, rounds do
  local source, said = { model.head }, {}
  for _, s in ipairs(model.structs(8, random)) do
    local lines, text = cases(s)
    source[#source + 1] = model.declare(s) .. text
    said[#said + 1] = lines
  end
  write(("%s/%d.metal"):format(folder, round), table.concat(source))
  write(("%s/%d.txt"):format(folder, round), table.concat(said))
end
