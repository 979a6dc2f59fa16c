# Writes JSON texts, one a line on standard input, again in each way in which people use Ruby and Rails: "line TAB way TAB base64".
require 'active_support'
require 'active_support/core_ext/object/json'
require 'active_support/core_ext/object/to_query'
require 'bigdecimal'
require 'json'
require 'uri'

WAYS = {
  'JSON.generate' => ->(value, _) { JSON.generate(value) },
  'ascii_only' => ->(value, _) { JSON.generate(value, ascii_only: true) },
  'pretty_generate' => ->(value, _) { JSON.pretty_generate(value) },
  'to_json of Rails' => ->(value, _) { value.to_json },
  'to_json of Rails, BigDecimal' => ->(_, decimals) { decimals.to_json },
  'to_s' => ->(value, _) { value.to_s },
  'encode_www_form' => ->(value, _) { URI.encode_www_form(value) },
}.freeze

$stdin.set_encoding('UTF-8').each_line.with_index do |text, line|
  WAYS.each do |way, encode|
    written = encode.call(JSON.parse(text), JSON.parse(text, decimal_class: BigDecimal))
    puts [line, way, [written].pack('m0')].join("\t")
  end
end
