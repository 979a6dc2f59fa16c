<?php
// Writes moments, in seconds since 1970, one a line, in the patterns that people use in PHP: "line TAB pattern TAB base64".
date_default_timezone_set('UTC');
$patterns = [
    'd-m-Y H:i:s', 'Y-m-d H:i:s', 'd-m-Y h:i:s', 'd-m-Y h:i:s a', 'd-m-Y h:i:s A', 'd-m-Y H:m:s', 'd-m-Y h:m:s', 'd-m-y H:i:s', 'y-m-d H:i:s',
    'm-d-Y H:i:s', 'd/m/Y H:i:s', 'd.m.Y H:i:s', 'Y/m/d H:i:s', 'j-n-Y H:i:s', 'j-m-Y H:i:s', 'd-m-Y G:i:s', 'd-M-Y H:i:s', 'd-m-o H:i:s',
    'd-m-Y H:i', 'd-m-Y', 'Y-m-d', 'dmYHis', 'YmdHis', 'U', 'c', 'r', 'Y-m-d\TH:i:s', 'Y-m-d\TH:i:s\Z', 'Y-m-d\TH:i:sO', 'd-m-Y H:i:00',
];
for ($line = 0; ($moment = fgets(STDIN)) !== false; $line++) {
    foreach ($patterns as $pattern) {
        echo $line, "\t", $pattern, "\t", base64_encode(date($pattern, (int) $moment)), "\n";
    }
}
