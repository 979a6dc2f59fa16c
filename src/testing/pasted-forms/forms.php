<?php
// Reads an envelope and prints how PHP shows it in logs and dumps: a line for each form, its name and its text in base64.
$body = stream_get_contents(STDIN);
$array = json_decode($body, true, 512, JSON_THROW_ON_ERROR);
$object = json_decode($body, false, 512, JSON_THROW_ON_ERROR);

function dumped(mixed $value): string
{
    ob_start();
    var_dump($value);
    return ob_get_clean();
}

$forms = [
    'json_encode of a record' => json_encode(['level' => 'error', 'message' => 'refused', 'body' => $body]),
    'json_encode twice' => json_encode(json_encode($body)),
    'var_export' => var_export($array, true),
    'var_export of objects' => var_export($object, true),
    'var_export of the text' => "body: " . var_export(['body' => $body, 'status' => 200], true),
    'print_r' => print_r($array, true),
    'print_r of objects' => print_r($object, true),
    'print_r of the text' => print_r(['body' => $body, 'code' => 8], true),
    'var_dump' => dumped($array),
    'var_dump of objects' => dumped($object),
    'var_dump of the text' => dumped(['body' => $body]),
    'urlencode' => 'payload=' . urlencode($body) . '&status=200',
    'rawurlencode' => rawurlencode($body),
    'htmlspecialchars' => '<pre>' . htmlspecialchars($body) . '</pre>',
    'base64_encode' => base64_encode($body),
    'addcslashes' => 'body="' . addcslashes($body, '"\\') . '"',
    'serialize' => serialize(['body' => $body]),
];
$stream = fopen('php://memory', 'r+');
fputcsv($stream, ['2026-11-22T10:40:02Z', $body, '8'], ',', '"', '');
rewind($stream);
$forms['fputcsv'] = "timestamp,body,code\n" . stream_get_contents($stream);
foreach ($forms as $name => $text) {
    echo $name, "\t", base64_encode($text), "\n";
}
