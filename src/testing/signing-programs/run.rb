# Runs programs that sign, a case a line, on the clock of the case: `Time` and `ENV` are the case's own. Prints a line for each.
Encoding.default_external = Encoding.default_internal = Encoding::UTF_8
require 'base64'
require 'cgi'
require 'digest'
require 'erb'
require 'json'
require 'openssl'
require 'time'
require 'uri'

module Signing
  ENV = {}

  class Time < ::Time
    class << self
      attr_accessor :clock

      def now
        at(clock.length > 1 ? clock.shift : clock[0])
      end
    end
  end

  def self.run(given)
    Time.clock = given['clock']
    ::ENV['TZ'] = given['zone']
    ENV['PRIVATE_KEY'] = given['key']
    data = given['data'] && JSON.parse(given['data'])
    action, platform, partner_id = given.values_at('action', 'platform', 'partnerId')
    hash, time = binding.eval("#{given['program']}\n[hash, time]")
    { hash: Base64.strict_encode64(hash), time: time }
  end
end

$stdin.each_line do |line|
  puts JSON.generate(Signing.run(JSON.parse(line)))
rescue StandardError, ScriptError => error
  puts JSON.generate(error: error.message)
end
