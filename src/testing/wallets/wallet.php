<?php

declare(strict_types=1);

// An operator's wallet in PHP with SQLite, as a good developer of one would write it, for tests of the wallet suite. Faults are
// planted one at a time, by WALLET_FAULT: each stands beside the line that is right. Everything is in the folder WALLET_FOLDER.
//
//   php wallet.php           makes the database with the players of WALLET_PLAYERS
//   php wallet.php faults    prints the names of its faults
//   php -S HOST:PORT wallet.php

define('FAULT', (string) getenv('WALLET_FAULT'));
define('FOLDER', (string) getenv('WALLET_FOLDER'));
const TRANSACTION = ['externalToken', 'playerId', 'gameId', 'transactionId', 'currency'];
const METHODS = [
    'playerInfo' => ['externalToken'],
    'bet' => TRANSACTION,
    'win' => TRANSACTION,
    'cancel' => TRANSACTION,
    'tournamentWin' => TRANSACTION,
    'promoWin' => [...TRANSACTION, 'externalReferenceId'],
    'generateNewToken' => ['token', 'newGameId'],
];
const DECIMALS = ['JPY' => 0, 'KRW' => 0, 'CLP' => 0, 'KWD' => 3, 'TND' => 3, 'BHD' => 3];
/** Whoever made one of these mistakes has no unique index that would have shown it. */
const WITHOUT_INDEX = [
    'retry-books-twice',
    'cancel-twice-pays-twice',
    'cancelled-bet-booked-again',
    'keys-forgotten-after-12-hours',
    'looked-up-before-lock',
];
/** The lock is taken after everything was checked. */
const LATE_LOCK = ['looked-up-before-lock', 'funds-checked-before-lock', 'reference-looked-up-before-lock'];

/** A call that the wallet does not carry out: the caller gets code and message. */
class Refusal extends Exception
{
    public function __construct(int $code, string $message)
    {
        parent::__construct($message, $code);
    }
}

function fault(string $name): bool
{
    return FAULT === $name;
}

function db(): PDO
{
    static $db = null;
    if ($db === null) {
        $db = new PDO('sqlite:' . FOLDER . '/wallet.sqlite', null, null, [
            PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION,
            PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_ASSOC,
            PDO::ATTR_TIMEOUT => 20,
        ]);
        $db->exec('PRAGMA synchronous = NORMAL');
    }
    return $db;
}

function query(string $sql, string|int|null ...$values): PDOStatement
{
    $statement = db()->prepare($sql);
    foreach ($values as $at => $value) {
        $statement->bindValue($at + 1, $value, is_int($value) ? PDO::PARAM_INT : PDO::PARAM_STR);
    }
    $statement->execute();
    return $statement;
}

function row(string $sql, string|int|null ...$values): ?array
{
    return query($sql, ...$values)->fetch() ?: null;
}

function now(): int
{
    return time() + (int) file_get_contents(FOLDER . '/clock');
}

// Money: whole numbers of the currency's smallest unit. json_decode would make a float of an amount, so its text is read.

function decimals(string $currency): int
{
    return fault('two-decimals-always') ? 2 : DECIMALS[$currency] ?? 2;
}

function minorUnits(string $number, string $currency): int
{
    if (fault('amount-cut-to-int')) {
        return (int) $number * 10 ** decimals($currency);
    }
    preg_match('/^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/', $number, $part);
    $fraction = $part[3] ?? '';
    $digits = ltrim($part[2] . $fraction, '0');
    if ($digits === '') {
        return 0;
    }
    $exponent = fault('exponent-ignored') ? 0 : (int) ($part[4] ?? 0);
    $shift = $exponent - strlen($fraction) + decimals($currency);
    if (strlen($digits) + $shift > 17 || strlen($digits) > 400) {
        throw new Refusal(400, 'amount is too large');
    }
    if (strlen($digits) + $shift <= 0 || $shift < 0 && rtrim(substr($digits, $shift), '0') !== '') {
        throw new Refusal(400, 'amount has more decimals than the currency');
    }
    $units = (int) ($shift < 0 ? substr($digits, 0, $shift) : $digits . str_repeat('0', $shift));
    return $part[1] === '-' ? -$units : $units;
}

function decimalText(int $units, string $currency): string
{
    $decimals = decimals($currency);
    if (fault('balance-with-float-tail')) {
        return sprintf('%.17g', $units / 10 ** $decimals);
    }
    $digits = str_pad((string) abs($units), $decimals + 1, '0', STR_PAD_LEFT);
    $sign = $units < 0 ? '-' : '';
    return $decimals === 0 ? $sign . $digits : $sign . substr($digits, 0, -$decimals) . '.' . substr($digits, -$decimals);
}

// What came and what goes out.

/** Reads the body: texts begin with s, numbers are texts that begin with n, so that no digit of an amount is lost. */
function readBody(): array
{
    $raw = (string) file_get_contents('php://input');
    if (strlen($raw) > 65_536) {
        throw new Refusal(413, 'Request too large');
    }
    if (!is_array(json_decode($raw, true, 32)) && !fault('crash-page-as-html')) {
        throw new Refusal(400, 'The body is no JSON object');
    }
    $token = '/"[^"\\\\]*+(?:\\\\.[^"\\\\]*+)*+"|-?\d[\d.eE+-]*+/s';
    $marked = preg_replace_callback($token, fn ($found) => $found[0][0] === '"' ? '"s' . substr($found[0], 1) : "\"n$found[0]\"", $raw);
    return json_decode($marked, true, 32);
}

function textOf(array $body, string $name): string
{
    $value = $body["s$name"] ?? null;
    if ($value === null && $name === 'externalReferenceId' && fault('promo-without-reference')) {
        return bin2hex(random_bytes(8));
    }
    if (!is_string($value) || $value === 's' || $value[0] !== 's') {
        throw new Refusal(400, "$name must be a text");
    }
    $isCut = fault('id-cut-at-255') && $name === 'transactionId' || fault('token-cut-to-64') && $name === 'externalToken';
    if (preg_match('/^.{256}/su', $value = substr($value, 1)) && !$isCut) {
        throw new Refusal(400, "$name is too long");
    }
    return $value;
}

/** Returns the amount in minor units; null where a cancel has none. */
function amountOf(array $body, string $method, string $currency): ?int
{
    $value = $body['samount'] ?? null;
    if ($method === 'cancel' && !array_key_exists('samount', $body)) {
        return null;
    }
    if ($value === null && fault('missing-amount-is-0')) {
        return 0;
    }
    if (fault('text-amount-as-minor-units') && is_string($value) && preg_match('/^s\d+$/', $value)) {
        return (int) substr($value, 1);
    }
    if (!is_string($value) || $value[0] !== 'n') {
        throw new Refusal(400, 'amount must be a number');
    }
    $amount = minorUnits(substr($value, 1), $currency);
    if ($amount < 0 && !($method === 'win' && fault('negative-win-booked'))) {
        throw new Refusal(400, 'amount must not be negative');
    }
    return $amount;
}

/** The response as JSON: balances are printed as they are, not through a float. */
function json(array $answer): string
{
    foreach ($answer as $name => $value) {
        $isRaw = $name === 'balance' && !fault('balance-as-text');
        $members[] = "\"$name\":" . ($isRaw ? $value : json_encode($value, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES));
    }
    return '{' . implode(',', $members) . '}';
}

// Sessions.

function playerOf(string $token, ?string $playerId = null): array
{
    $select = 'SELECT players.* FROM players JOIN sessions USING (playerId) WHERE token = ?';
    $player = match (true) {
        fault('token-cut-to-64') => row($select, substr($token, 0, 64)),
        fault('unknown-token-first-player') => row($select, $token) ?? row('SELECT * FROM players LIMIT 1'),
        fault('player-from-body') && $playerId !== null => row('SELECT * FROM players WHERE playerId = ?', $playerId),
        default => row($select, $token),
    };
    return $player ?? throw new Refusal(404, 'Invalid Token');
}

function newToken(string $old): string
{
    db()->exec('BEGIN IMMEDIATE');
    $player = playerOf($old);
    $token = fault('same-token-again') ? $old : bin2hex(random_bytes(32));
    if (!fault('old-token-lives-on')) {
        query('DELETE FROM sessions WHERE token = ?', $old);
    }
    $owner = fault('new-token-of-first-player') ? row('SELECT * FROM players LIMIT 1') : $player;
    query('INSERT INTO sessions (token, playerId) VALUES (?, ?)', $token, $owner['playerId']);
    db()->exec('COMMIT');
    return $token;
}

// Transactions.

function transact(string $method, array $sent, array $body): array
{
    $isLate = in_array(FAULT, LATE_LOCK, true);
    if (fault('deferred-transaction')) {
        db()->exec('BEGIN');
    } elseif (!$isLate && !fault('balance-written-absolute')) {
        db()->exec('BEGIN IMMEDIATE');
    }
    $player = playerOf($sent['externalToken'], $sent['playerId']);
    if ($player['playerId'] !== $sent['playerId']) {
        throw new Refusal(403, 'The session is of another player');
    }
    if ($player['currency'] !== $sent['currency'] && !fault('currency-ignored')) {
        throw new Refusal(400, 'Wrong currency');
    }
    $amount = amountOf($body, $method, $player['currency']);
    if (fault('refusal-leaves-lock') && $method === 'bet' && !@mkdir($lock = FOLDER . '/lock-' . md5($sent['playerId']))) {
        throw new Refusal(423, 'The account is busy');
    }
    $first = firstOf($method, $sent, $amount);
    if ($first !== null) {
        return again($first, $method, $sent, $amount, $player);
    }
    if ($method === 'promoWin') {
        checkReference($sent);
    }
    [$moved, $bet] = match ($method) {
        'bet' => [-betOf($player, $amount), null],
        'win' => winOf($sent, $amount),
        'cancel' => cancelOf($sent, $amount),
        default => [$amount, null],
    };
    if ($player['balance'] + $moved > 10 ** 18) {
        throw new Refusal(400, 'The account is full');
    }
    if (FAULT === 'control-rendezvous') {
        waitForAnother();
    } elseif (fault('funds-checked-before-lock')) {
        meet($sent['playerId'], 4, 1);
    } elseif ($isLate || fault('deferred-transaction') || fault('balance-written-absolute')) {
        meet($sent['playerId'], 2, 0.4);
    }
    if ($isLate) {
        db()->exec('BEGIN IMMEDIATE');
    }
    if (fault('balance-written-absolute')) {
        query('UPDATE players SET balance = ? WHERE playerId = ?', $player['balance'] + $moved, $sent['playerId']);
    } else {
        query('UPDATE players SET balance = balance + ? WHERE playerId = ?', $moved, $sent['playerId']);
    }
    if (fault('two-commits')) {
        db()->exec('COMMIT');
        writeUntilAborted(20);
        db()->exec('BEGIN IMMEDIATE');
    }
    if ($bet !== null) {
        query('UPDATE transactions SET state = ? WHERE id = ?', $method === 'win' ? 'settled' : 'cancelled', $bet);
    }
    ['balance' => $balance] = row('SELECT balance FROM players WHERE playerId = ?', $sent['playerId']);
    $insert = 'INSERT INTO transactions (playerId, method, key, transactionId, gameId, amount, currency, reference, balance, at, state)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';
    $reference = $method === 'promoWin' ? $sent['externalReferenceId'] : null;
    $values = [$method, keyOf($sent), $sent['transactionId'], $sent['gameId'], $amount, $sent['currency'], $reference, $balance, now()];
    query($insert, $sent['playerId'], ...[...$values, $method === 'bet' ? 'open' : 'booked']);
    $answer = answerOf($sent, (int) db()->lastInsertId(), $balance, $player);
    if (fault('answered-before-commit')) {
        header('Content-Length: ' . strlen(json($answer)));
        echo json($answer);
        flush();
        writeUntilAborted(4);
        $answer = null;
    }
    if (!fault('balance-written-absolute')) {
        db()->exec('COMMIT');
    }
    if (isset($lock)) {
        rmdir($lock);
    }
    return $answer ?? exit();
}

function answerOf(array $sent, int $id, int $balance, array $player): array
{
    $external = fault('same-external-id') ? "trx-{$sent['playerId']}" : "trx-$id";
    $answer = ['code' => 0, 'message' => 'ok', 'transactionId' => $sent['transactionId'], 'externalTrxId' => $external];
    return [...$answer, 'balance' => decimalText($balance, $player['currency'])];
}

/** By what a transaction is known again, with its player and method. */
function keyOf(array $sent): string
{
    return match (true) {
        fault('id-case-folded') => strtolower($sent['transactionId']),
        fault('id-cut-at-255') && preg_match('/^.{255}/su', $sent['transactionId'], $cut) === 1 => $cut[0],
        default => $sent['transactionId'],
    };
}

/** Returns the transaction of an earlier call that this one repeats. */
function firstOf(string $method, array $sent, ?int $amount): ?array
{
    $of = 'SELECT * FROM transactions WHERE playerId = ? AND key = ?';
    $known = [$sent['playerId'], keyOf($sent)];
    if (fault('duplicates-by-content') && $method === 'bet') {
        $alike = 'SELECT * FROM transactions WHERE playerId = ? AND method = ? AND amount = ? AND at > ?';
        return row($alike, $sent['playerId'], $method, $amount, now() - 10);
    }
    return match (true) {
        fault('retry-books-twice') && $method !== 'cancel' => null,
        fault('cancel-twice-pays-twice') && $method === 'cancel' => null,
        fault('cancelled-bet-booked-again') => row("$of AND method = ? AND state <> 'cancelled'", ...[...$known, $method]),
        fault('keys-forgotten-after-12-hours') => row("$of AND method = ? AND at > ?", ...[...$known, $method, now() - 43_200]),
        fault('one-id-for-all-methods') && $method !== 'cancel' => row("$of AND method <> 'cancel'", ...$known),
        fault('id-unique-for-all-players') => row('SELECT * FROM transactions WHERE key = ? AND method = ?', $known[1], $method),
        default => row("$of AND method = ?", ...[...$known, $method]),
    };
}

/** A retry gets the response of the first call; another call with its id is refused. */
function again(array $first, string $method, array $sent, ?int $amount, array $player): array
{
    if (fault('retry-refused')) {
        throw new Refusal(409, 'Duplicate transaction');
    }
    $reference = $sent['externalReferenceId'] ?? null;
    $isSame = [$first['gameId'], $first['amount'], $first['reference']] === [$sent['gameId'], $amount, $reference];
    if ($method !== 'cancel' && !$isSame && !fault('conflict-replayed')) {
        throw new Refusal(409, 'The id was used for another transaction');
    }
    return answerOf($sent, $first['id'], $first['balance'], $player);
}

function checkReference(array $sent): void
{
    $used = row('SELECT id FROM transactions WHERE reference = ?', $sent['externalReferenceId']);
    if ($used !== null && !fault('reference-not-unique')) {
        throw new Refusal(409, 'The reference was used for another transaction');
    }
}

function betOf(array $player, int $amount): int
{
    $unit = 10 ** decimals($player['currency']);
    $isShort = match (true) {
        fault('whole-balance-refused') => $amount >= $player['balance'],
        fault('funds-in-whole-units') => intdiv($amount, $unit) > intdiv($player['balance'], $unit),
        default => $amount > $player['balance'],
    };
    return $isShort ? throw new Refusal(402, 'Insufficient funds') : $amount;
}

/** A win settles the newest open bet of its game. It needs none, but it is refused if the newest bet was cancelled. */
function winOf(array $sent, int $amount): array
{
    if ($amount === 0 && fault('zero-win-refused')) {
        throw new Refusal(400, 'amount must be positive');
    }
    $bets = "SELECT id, state FROM transactions WHERE playerId = ? AND gameId = ? AND method = 'bet'";
    $newest = row("$bets ORDER BY id DESC", $sent['playerId'], $sent['gameId']);
    if ($newest !== null && $newest['state'] === 'cancelled') {
        throw new Refusal(410, 'The bet was cancelled');
    }
    $open = row("$bets AND state = 'open' ORDER BY transactionId = ? DESC, id DESC", $sent['playerId'], $sent['gameId'], $sent['transactionId']);
    return [$amount, $open['id'] ?? null];
}

function cancelOf(array $sent, ?int $amount): array
{
    $select = "SELECT * FROM transactions WHERE playerId = ? AND transactionId = ? AND method = 'bet'";
    $bet = row($select, $sent['playerId'], $sent['transactionId']);
    if ($bet === null) {
        return fault('cancel-unknown-credits') ? [$amount ?? 0, null] : throw new Refusal(405, 'Unknown bet');
    }
    if ($bet['gameId'] !== $sent['gameId'] || ($amount ?? $bet['amount']) !== $bet['amount']) {
        throw new Refusal(409, 'The bet has other values');
    }
    if ($bet['state'] === 'settled' && !fault('cancel-after-win-refunds')) {
        throw new Refusal(409, 'The bet is settled');
    }
    return [fault('cancel-without-amount-refunds-0') ? $amount ?? 0 : $bet['amount'], $bet['id']];
}

// Races that are certain: calls meet in the middle of a fault. The rightful wallet waits at the same place, inside its lock.

/** Waits until as many calls have come to the place, or until the time is up. */
function meet(string $place, int $parties, float $seconds): void
{
    $file = fopen(FOLDER . '/meet-' . md5($place), 'c+');
    $count = function (?callable $change = null) use ($file): int {
        flock($file, LOCK_EX);
        $came = (int) stream_get_contents($file, null, 0);
        if ($change !== null) {
            rewind($file);
            fwrite($file, (string) ($came = $change($came)));
            fflush($file);
        }
        flock($file, LOCK_UN);
        return $came;
    };
    $enough = (int) ceil($count(fn ($came) => $came + 1) / $parties) * $parties;
    for ($end = microtime(true) + $seconds; $count() < $enough; usleep(2_000)) {
        if (microtime(true) > $end) {
            // Whoever comes later waits for others.
            $count(fn ($came) => max($came, $enough));
        }
    }
}

/** Waits until another call is inside as well, or for 0.4 s. */
function waitForAnother(): void
{
    for ($end = microtime(true) + 0.4; microtime(true) < $end; usleep(2_000)) {
        $marks = count_chars(file_get_contents(FOLDER . '/inside'));
        if ($marks[ord('+')] - $marks[ord('-')] > 1) {
            return;
        }
    }
}

/** PHP notices that the client has gone when it writes, and ends the script there. */
function writeUntilAborted(int $times): void
{
    ignore_user_abort(false);
    for (; $times > 0; $times -= 1) {
        usleep(25_000);
        echo ' ';
        flush();
    }
}

function setUp(): void
{
    db()->exec('PRAGMA journal_mode = WAL');
    db()->exec('CREATE TABLE players (playerId TEXT PRIMARY KEY, country TEXT, currency TEXT, decimals INTEGER, balance INTEGER);
        CREATE TABLE sessions (token TEXT PRIMARY KEY, playerId TEXT NOT NULL);
        CREATE TABLE transactions (id INTEGER PRIMARY KEY AUTOINCREMENT, playerId TEXT, method TEXT, key TEXT, transactionId TEXT,
            gameId TEXT, amount INTEGER, currency TEXT, reference TEXT, balance INTEGER, at INTEGER, state TEXT);
        CREATE INDEX bets ON transactions (playerId, transactionId)');
    if (!in_array(FAULT, WITHOUT_INDEX, true)) {
        db()->exec('CREATE UNIQUE INDEX once ON transactions (playerId, method, key)');
    }
    if (!fault('reference-not-unique') && !fault('reference-looked-up-before-lock')) {
        db()->exec('CREATE UNIQUE INDEX reference ON transactions (reference)');
    }
    foreach (json_decode((string) getenv('WALLET_PLAYERS'), true) as $player) {
        ['playerId' => $id, 'externalToken' => $token, 'country' => $country, 'currency' => $currency] = $player;
        $balance = minorUnits($player['balance'], $currency);
        query('INSERT INTO players VALUES (?, ?, ?, ?, ?)', $id, $country, $currency, decimals($currency), $balance);
        query('INSERT INTO sessions VALUES (?, ?)', $token, $id);
    }
    file_put_contents(FOLDER . '/clock', '0');
}

function answer(): array
{
    $method = preg_match('~/(\w+)$~', (string) parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH), $part) ? $part[1] : '';
    if (!isset(METHODS[$method]) || $_SERVER['REQUEST_METHOD'] !== 'POST') {
        throw new Refusal(400, 'Unknown method');
    }
    $body = readBody();
    foreach (METHODS[$method] as $name) {
        $sent[$name] = textOf($body, $name);
    }
    if ($method === 'generateNewToken') {
        return ['code' => 0, 'message' => 'ok', 'token' => newToken($sent['token'])];
    }
    if ($method !== 'playerInfo') {
        return transact($method, $sent, $body);
    }
    ['country' => $country, 'currency' => $currency, 'playerId' => $id] = $player = playerOf($sent['externalToken']);
    $balance = decimalText($player['balance'], $currency);
    return ['code' => 0, 'message' => 'ok', 'country' => $country, 'currency' => $currency, 'balance' => $balance, 'playerId' => $id];
}

if (PHP_SAPI === 'cli') {
    extension_loaded('pdo_sqlite') || throw new RuntimeException("PHP lacks pdo_sqlite: install php-sqlite3 to run these tests");
    preg_match_all("/(?:fault\(|FAULT === )'([a-z0-9-]+)'/", file_get_contents(__FILE__), $found);
    $names = array_values(array_unique([...$found[1], ...WITHOUT_INDEX, ...LATE_LOCK]));
    if (($argv[1] ?? '') === 'faults') {
        exit(json_encode($names));
    }
    if (FAULT !== '' && !in_array(FAULT, $names, true)) {
        fwrite(STDERR, 'This wallet knows no fault ' . FAULT . "\n");
        exit(1);
    }
    setUp();
    exit();
}

// How many calls are inside at once is seen by these marks.
file_put_contents(FOLDER . '/inside', '+', FILE_APPEND);
register_shutdown_function(fn () => file_put_contents(FOLDER . '/inside', '-', FILE_APPEND));
ignore_user_abort(true);
header('Content-Type: application/json');
try {
    echo json(answer());
} catch (Throwable $error) {
    if (fault('crash-page-as-html') && !$error instanceof Refusal) {
        header('Content-Type: text/html');
        throw $error;
    }
    // SQLite takes back what was not committed when this script ends. Nobody outside learns more about a trouble of the wallet's own.
    [$code, $message] = $error instanceof Refusal ? [$error->getCode(), $error->getMessage()] : [500, 'Internal error'];
    $said = fault('refusal-with-trace') ? (string) $error : $message;
    echo json(['code' => fault('error-with-code-0') ? 0 : $code, 'message' => $said]);
}
