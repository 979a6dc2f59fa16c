# Writes moments, in seconds since 1970, one a line, in the ways in which people use Ruby: "line TAB way TAB base64".
require 'time'

WAYS = {
  '%d-%m-%Y %H:%M:%S' => ->(time) { time.strftime('%d-%m-%Y %H:%M:%S') },
  '%d-%m-%Y %I:%M:%S' => ->(time) { time.strftime('%d-%m-%Y %I:%M:%S') },
  'to_s' => ->(time) { time.to_s },
  'to_s of a local one' => ->(time) { time.getlocal('+00:00').to_s },
  'iso8601' => ->(time) { time.iso8601 },
  'to_i' => ->(time) { time.to_i.to_s },
}.freeze

$stdin.each_line.with_index do |text, line|
  WAYS.each { |way, write| puts [line, way, [write.call(Time.at(text.to_i).utc)].pack('m0')].join("\t") }
end
