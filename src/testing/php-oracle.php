<?php
// Reads one base64 text a line and prints what PHP makes of it, one line each, fields separated by blanks ("-" where it refuses):
// the four encodings in base64, the stability flags of php, php-unicode and verbatim, and two hashes.
$key = $argv[1];
$time = $argv[2];

function encoded(string $text, bool $assoc, int $flags): ?string
{
    try {
        $value = json_decode($text, $assoc, 512, JSON_THROW_ON_ERROR);
        return json_encode($value, JSON_UNESCAPED_SLASHES | $flags | JSON_THROW_ON_ERROR);
    } catch (JsonException) {
        return null;
    }
}

function flags(?string $text, int $flags): string
{
    if ($text === null) {
        return '-';
    }
    return (encoded($text, false, $flags) === $text ? '1' : '0') . (encoded($text, true, $flags) === $text ? '1' : '0');
}

while (($line = fgets(STDIN)) !== false) {
    $text = base64_decode(rtrim($line, "\n"), true);
    $php = encoded($text, false, 0);
    $unicode = encoded($text, false, JSON_UNESCAPED_UNICODE);
    $results = [$php, encoded($text, true, 0), $unicode, encoded($text, true, JSON_UNESCAPED_UNICODE)];
    $fields = array_map(fn ($json) => $json === null ? '-' : base64_encode($json), $results);
    $fields[] = flags($php, 0);
    $fields[] = flags($unicode, JSON_UNESCAPED_UNICODE);
    $fields[] = flags($text, 0);
    $fields[] = $php === null ? '-' : hash('sha256', $key . $time . $php);
    $fields[] = hash('sha256', $key . $time . $text);
    echo implode(' ', $fields), "\n";
}
