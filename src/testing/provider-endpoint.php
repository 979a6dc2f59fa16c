<?php
// A provider as an integrator would write one, sharing nothing with Croupier: reads one request a line on standard input, as
// {"path","body"} with the body in base64, and prints one answer a line, as {"status","body"} with the body in base64.
// Arguments: key, platform, partnerId. `judged` in each answer says what it saw.
[, $key, $platform, $partnerId] = $argv;

function service(string $body, string $key, int $platform, int $partnerId): array
{
    $request = json_decode($body, false, 512, JSON_THROW_ON_ERROR);
    if ($request->platform !== $platform || $request->partnerId !== $partnerId) {
        return ['code' => 9, 'message' => 'platform not valid (partnerid or platform values are wrong', 'data' => null];
    }
    if (!preg_match('/^\d\d-\d\d-\d{4} \d\d:\d\d:\d\d$/', $request->time)) {
        return ['code' => 99, 'message' => 'time not valid', 'data' => null];
    }
    $data = property_exists($request, 'data') ? json_encode($request->data, JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR) : '';
    if (!hash_equals(hash('sha256', $key . $request->time . $data), $request->hash)) {
        return ['code' => 8, 'message' => 'hash not valid', 'data' => null];
    }
    return ['code' => 0, 'message' => 'ok', 'data' => result($request)];
}

function result(stdClass $request): mixed
{
    $data = $request->data ?? null;
    switch ($request->action) {
        case 'gameList':
            return ['slots' => [['id' => 1, 'gameName' => 'One', 'bets' => [0.5, 1], 'thumbnail' => 'https://img.example/1.png', 'status' => 1]]];
        case 'roundReplayInfo':
            return ['start' => '2026-11-20 10:00:00', 'end' => '2026-11-20 10:00:09', 'betAmount' => 1, 'winAmount' => 0, 'currency' => 'EUR',
                'replayLink' => 'https://replay.example/?replayToken=' . $data->roundId . '&tableM=1&lang=en'];
        case 'getGameRound':
            return [['id' => 1, 'gameId' => 1, 'action' => 'bet', 'bet' => 1, 'win' => 0, 'currencyName' => 'EUR',
                'roundId' => $data->roundId, 'actionTime' => '2026-11-20 10:00:00', 'source' => 1, 'url' => 'https://rounds.example/1']];
        case 'getLauncherURL':
            return ['launcherURL' => 'https://games.example/?' . http_build_query((array) $data)];
        case 'freeRounds':
            return ['referenceId' => $data->externalReferenceId ?? $data->externalReferenceIds[0]];
        case 'freeRoundsByBet':
            return null;
        default:
            return ['action' => $request->action, 'data' => $data];
    }
}

function wallet(string $path, string $body): array
{
    $request = json_decode($body, true, 512, JSON_THROW_ON_ERROR);
    if (isset($request['hash']) || isset($request['time'])) {
        return ['code' => 98, 'message' => 'a wallet method has no envelope'];
    }
    if (($request['externalToken'] ?? $request['token'] ?? '') === '') {
        return ['code' => 404, 'message' => 'Invalid Token'];
    }
    if ($path === '/playerInfo') {
        return ['country' => 'DE', 'currency' => 'EUR', 'balance' => 10.5, 'playerId' => 'player-1'];
    }
    return ['transactionId' => $request['transactionId'] ?? '', 'externalTrxId' => 'x-1', 'balance' => 9.5];
}

while (($line = fgets(STDIN)) !== false) {
    $given = json_decode($line, true, 512, JSON_THROW_ON_ERROR);
    $body = base64_decode($given['body'], true);
    try {
        $answer = $given['path'] === '/serviceApi.php' ? service($body, $key, (int) $platform, (int) $partnerId) : wallet($given['path'], $body);
    } catch (Throwable $problem) {
        $answer = ['code' => 97, 'message' => $problem->getMessage(), 'data' => null];
    }
    echo json_encode(['status' => 200, 'body' => base64_encode(json_encode($answer, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE))]), "\n";
    flush();
}
