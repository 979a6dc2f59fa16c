-- Writes JSON texts, one a line on standard input, again with lua-cjson: "line TAB way TAB base64".
local cjson = require 'cjson'

local alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
local function base64(bytes)
  local text = bytes:gsub('..?.?', function(three)
    local a, b, c = three:byte(1, 3)
    local all = a * 65536 + (b or 0) * 256 + (c or 0)
    local written = ''
    for place = 3, 0, -1 do
      local at = math.floor(all / 64 ^ place) % 64
      written = written .. alphabet:sub(at + 1, at + 1)
    end
    return written:sub(1, #three + 1) .. ('='):rep(3 - #three)
  end)
  return text
end

local line = 0
for text in io.lines() do
  print(line .. '\tcjson.encode\t' .. base64(cjson.encode(cjson.decode(text))))
  line = line + 1
end
