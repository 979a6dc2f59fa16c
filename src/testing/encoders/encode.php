<?php
// Writes JSON texts, one a line on standard input, again in each way in which people use PHP: "line TAB way TAB base64" on standard output.

$slashes = JSON_UNESCAPED_SLASHES;

/** Encodes with an ini setting for this once. */
function with_precision(string $precision, mixed $value, int $flags): string
{
    $before = ini_set('serialize_precision', $precision);
    $text = json_encode($value, $flags);
    ini_set('serialize_precision', $before);
    return $text;
}

/** Changes every text. */
function map_texts(mixed $value, callable $change): mixed
{
    if (is_string($value)) {
        return $change($value);
    }
    if (is_object($value)) {
        return (object) array_map(fn($one) => map_texts($one, $change), (array) $value);
    }
    return is_array($value) ? array_map(fn($one) => map_texts($one, $change), $value) : $value;
}

/** Moves every value but the first of the first longer list up by one: what unset leaves. */
function with_gap(array $members): array
{
    foreach ($members as $name => $list) {
        if (is_array($list) && array_is_list($list) && count($list) > 1) {
            $members[$name] = array_combine([0, ...range(2, count($list))], $list);
            break;
        }
    }
    return $members;
}

/** Each way gets the value with objects, and with associative arrays. */
$ways = [
    'rule' => fn($v) => json_encode($v, $slashes),
    'default' => fn($v) => json_encode($v),
    'unescaped unicode' => fn($v) => json_encode($v, JSON_UNESCAPED_UNICODE),
    'unescaped slashes and unicode' => fn($v) => json_encode($v, $slashes | JSON_UNESCAPED_UNICODE),
    'unescaped line terminators' => fn($v) => json_encode($v, $slashes | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_LINE_TERMINATORS),
    'pretty' => fn($v) => json_encode($v, JSON_PRETTY_PRINT),
    'pretty, unescaped slashes' => fn($v) => json_encode($v, $slashes | JSON_PRETTY_PRINT),
    'hex' => fn($v) => json_encode($v, $slashes | JSON_HEX_TAG | JSON_HEX_AMP | JSON_HEX_APOS),
    'hex with quotes' => fn($v) => json_encode($v, $slashes | JSON_HEX_TAG | JSON_HEX_AMP | JSON_HEX_APOS | JSON_HEX_QUOT),
    'as Symfony' => fn($v) => json_encode($v, JSON_HEX_TAG | JSON_HEX_AMP | JSON_HEX_APOS | JSON_HEX_QUOT),
    'precision 17' => fn($v) => with_precision('17', $v, $slashes),
    'precision 14' => fn($v) => with_precision('14', $v, $slashes),
    'zero fraction' => fn($v) => json_encode($v, $slashes | JSON_PRESERVE_ZERO_FRACTION),
    'numeric check' => fn($v) => json_encode($v, $slashes | JSON_NUMERIC_CHECK),
    'associative' => fn($v, $a) => json_encode($a, $slashes),
    'associative, default' => fn($v, $a) => json_encode($a),
    'force object' => fn($v) => json_encode($v, $slashes | JSON_FORCE_OBJECT),
    'array_filter' => fn($v, $a) => json_encode((object) array_filter($a), $slashes),
    'list with a gap' => fn($v, $a) => json_encode(with_gap($a), $slashes),
    'ksort' => function ($v, $a) use ($slashes) {
        ksort($a);
        return json_encode((object) $a, $slashes);
    },
    'htmlspecialchars before' => fn($v) => json_encode(map_texts($v, 'htmlspecialchars'), $slashes),
    'htmlspecialchars before, quotes kept' => fn($v) => json_encode(map_texts($v, fn($t) => htmlspecialchars($t, ENT_NOQUOTES)), $slashes),
    'htmlspecialchars after' => fn($v) => htmlspecialchars(json_encode($v, $slashes), ENT_COMPAT),
    'utf8_encode' => fn($v) => json_encode(map_texts($v, fn($t) => @utf8_encode($t)), $slashes),
    'utf8_decode after' => fn($v) => @utf8_decode(json_encode($v, $slashes | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_LINE_TERMINATORS)),
    'stripslashes' => fn($v) => stripslashes(json_encode($v)),
    'addslashes' => fn($v) => addslashes(json_encode($v, $slashes)),
    'twice' => fn($v) => json_encode(json_encode($v, $slashes), $slashes),
    'twice, default' => fn($v) => json_encode(json_encode($v)),
    'base64' => fn($v) => base64_encode(json_encode($v, $slashes)),
    'bin2hex' => fn($v) => bin2hex(json_encode($v, $slashes)),
    'urlencode' => fn($v) => urlencode(json_encode($v, $slashes)),
    'rawurlencode' => fn($v) => rawurlencode(json_encode($v, $slashes)),
    'http_build_query' => fn($v, $a) => http_build_query($a),
    'http_build_query, sorted' => function ($v, $a) {
        ksort($a);
        return http_build_query($a);
    },
    'urldecode of http_build_query' => fn($v, $a) => urldecode(http_build_query($a)),
    'implode' => fn($v, $a) => @implode('', $a),
    'as text' => fn($v, $a) => @('' . $a),
];

for ($line = 0; ($text = fgets(STDIN)) !== false; $line++) {
    $value = json_decode($text);
    $array = json_decode($text, true);
    foreach ($ways as $way => $encode) {
        echo $line, "\t", $way, "\t", base64_encode($encode($value, $array)), "\n";
    }
}
