<?php
// Asks as a backend in PHP does: `client.php curl|streams URL CA`, and prints what came.
error_reporting(E_ALL & ~E_NOTICE);
[, $library, $base, $ca] = $argv;
$json = '{"action":"gameList"}';
$kinds = ['Content-Type: application/json', "X-mixed-CASE: \xe9 a"];
$asked = [
    ['GET', '/sized?x=%20y&z', null, []],
    ['POST', '/sized', $json, $kinds],
    ['POST', '/chunked', $json, ['Transfer-Encoding: chunked']],
    ['HEAD', '/sized', null, []],
    ['POST', '/early', $json, $kinds],
    ['PUT', '/error', "\xff\0", []],
    ['POST', '/nothing', '', []],
    ['POST', '/large', str_repeat("a/\xc3\xa9", 300_000), []],
    ['GET', '/end', null, []],
    ['POST', '/sized', $json, ['Connection: close']],
];

function tell(array $head, string $body): void
{
    echo implode('|', $head), ' ', strlen($body), ' ', substr($body, 0, 50), "\n";
}

if ($library === 'curl') {
    $handle = curl_init();
    foreach ($asked as [$method, $path, $body, $headers]) {
        $head = [];
        curl_reset($handle);
        curl_setopt_array($handle, [
            CURLOPT_URL => $base . $path,
            CURLOPT_CAINFO => $ca,
            CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_1_1,
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_NOBODY => $method === 'HEAD',
            CURLOPT_HTTPHEADER => $headers,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_EXPECT_100_TIMEOUT_MS => 60_000,
            CURLOPT_HEADERFUNCTION => function ($_, $line) use (&$head) {
                $head[] = trim($line);
                return strlen($line);
            },
        ] + ($body === null ? [] : [CURLOPT_POSTFIELDS => $body]));
        $got = curl_exec($handle);
        if ($got === false) {
            throw new Exception(curl_error($handle));
        }
        tell($head, $got);
    }
} else {
    foreach ($asked as [$method, $path, $body, $headers]) {
        // Streams have no chunks of their own.
        if ($headers === ['Transfer-Encoding: chunked']) {
            $body = sprintf("%x\r\n%s\r\n0\r\n\r\n", strlen($body), $body);
        }
        $http = ['method' => $method, 'header' => $headers, 'protocol_version' => 1.1, 'ignore_errors' => true];
        $context = stream_context_create([
            'http' => $http + ($body === null ? [] : ['content' => $body]),
            'ssl' => ['cafile' => $ca],
        ]);
        $got = file_get_contents($base . $path, false, $context);
        if ($got === false) {
            exit(1);
        }
        tell($http_response_header, $got);
    }
}
