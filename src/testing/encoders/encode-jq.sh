#!/bin/bash
# Writes JSON texts, one a line on standard input, again in each way in which people use jq: "line TAB way TAB base64".
set -eu
texts=$(cat)
write() {
  printf '%s\n' "$texts" | jq "${@:2}" '., "the end of a text"' | perl -MMIME::Base64 -e '
    my ($way) = @ARGV;
    @ARGV = ();
    local $/;
    my @texts = split /"the end of a text"\n/, <STDIN>;
    print join("\t", $_, $way, encode_base64($texts[$_], "")), "\n" for 0 .. $#texts;
  ' -- "$1"
}
write '-c' -c
write '-c -S' -c -S
write '-c -a' -c -a
write 'pretty'
write '--tab' --tab
