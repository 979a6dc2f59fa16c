# Reads an envelope and prints how Perl shows it in logs and dumps: a line for each form, its name and its text in base64.
use strict;
use warnings;
use Data::Dumper;
use JSON::PP;
use MIME::Base64;

my $body = do { local $/; <STDIN> };
my $value = JSON::PP->new->utf8->decode($body);
my %forms;
{
    local $Data::Dumper::Sortkeys = 1;
    $forms{'Data::Dumper'} = Dumper($value);
    local $Data::Dumper::Indent = 0;
    local $Data::Dumper::Terse = 1;
    $forms{'Data::Dumper in one line'} = Dumper($value);
    $forms{'Data::Dumper of the text'} = Dumper({ body => $body });
}
for my $name (sort keys %forms) {
    my $text = $forms{$name};
    utf8::encode($text) if utf8::is_utf8($text);
    print "$name\t", encode_base64($text, ''), "\n";
}
