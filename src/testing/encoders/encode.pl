# Writes JSON texts, one a line on standard input, again in each way in which people use Perl's JSON::PP: "line TAB way TAB base64".
use strict;
use warnings;
use JSON::PP;
use MIME::Base64;

my @ways = (
    [ 'canonical' => JSON::PP->new->utf8->canonical ],
    [ 'canonical, ascii' => JSON::PP->new->ascii->canonical ],
    [ 'pretty, canonical' => JSON::PP->new->utf8->canonical->pretty ],
);

while (my $text = <STDIN>) {
    for my $way (@ways) {
        my ( $name, $json ) = @$way;
        # A number that was decoded before keeps its kind only while nothing uses it as a text.
        print join( "\t", $. - 1, $name, encode_base64( $json->encode( JSON::PP->new->utf8->decode($text) ), '' ) ), "\n";
    }
}
