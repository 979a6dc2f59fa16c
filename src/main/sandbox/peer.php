<?php
// An integrator's backend as it could be written in PHP: it signs with json_encode and sends with curl. It shares nothing with the
// project. Input: {"baseUrl","caFile","platform","partnerId","key","calls":[{"action","time","data"?,"envelope"?,"key"?,"hashed"?}]}
// on standard input, where `data` is JSON text; `hashed` is what it does otherwise when it hashes: {"flags"?: of json_encode, "assoc"?, "sort"?,
// "timeFormat"?: of date(), "hmac"?}. Output: one line of JSON per call, {"status","body"}.
$job = json_decode(stream_get_contents(STDIN), false, 512, JSON_THROW_ON_ERROR);
$curl = curl_init();
date_default_timezone_set('UTC');
foreach ($job->calls as $call) {
    $body = [
        'action' => $call->action,
        'platform' => $job->platform,
        'partnerId' => $job->partnerId,
        'time' => $call->time,
    ];
    $dataJson = '';
    if (isset($call->data)) {
        $body['data'] = json_decode($call->data, false, 512, JSON_THROW_ON_ERROR);
        $dataJson = json_encode($body['data'], JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR);
    }
    $hashed = $call->hashed ?? new stdClass();
    if (isset($call->data) && (isset($hashed->flags) || isset($hashed->assoc) || isset($hashed->sort))) {
        $value = json_decode($call->data, isset($hashed->assoc), 512, JSON_THROW_ON_ERROR);
        if (isset($hashed->sort)) {
            $value = (array) $value;
            ksort($value);
        }
        $dataJson = json_encode($value, array_sum(array_map('constant', $hashed->flags ?? ['JSON_UNESCAPED_SLASHES'])));
    }
    $time = isset($hashed->timeFormat) ? DateTime::createFromFormat('d-m-Y H:i:s', $call->time)->format($hashed->timeFormat) : $call->time;

    foreach (get_object_vars($call->envelope ?? new stdClass()) as $name => $value) {
        $body[$name] = $value;
    }
    $key = $call->key ?? $job->key;
    $body['hash'] = isset($hashed->hmac) ? hash_hmac('sha256', $time . $dataJson, $key) : hash('sha256', $key . $time . $dataJson);
    curl_setopt_array($curl, [
        CURLOPT_URL => $job->baseUrl . '/serviceApi.php',
        CURLOPT_CAINFO => $job->caFile,
        CURLOPT_POST => true,
        // Escaped slashes in the body: the provider decodes them before it hashes.
        CURLOPT_POSTFIELDS => json_encode($body, JSON_THROW_ON_ERROR),
        CURLOPT_HTTPHEADER => ['Content-Type: application/json'],
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 100,
    ]);
    $answer = curl_exec($curl);
    if ($answer === false) {
        fwrite(STDERR, curl_error($curl) . "\n");
        exit(1);
    }
    echo json_encode(['status' => curl_getinfo($curl, CURLINFO_RESPONSE_CODE), 'body' => $answer]), "\n";
}
