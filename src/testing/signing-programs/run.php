<?php

// Runs programs that sign, a case a line, on the clock of the case: `date` and the like are the case's own. Prints a line for each.

namespace Signing;

error_reporting(E_ALL & ~E_DEPRECATED & ~E_WARNING);
$now = [];

function moment(): int
{
    global $now;
    return count($now) > 1 ? array_shift($now) : $now[0];
}

function time(): int
{
    return moment();
}

function date(string $format): string
{
    return \date($format, moment());
}

function gmdate(string $format): string
{
    return \gmdate($format, moment());
}

/** Arrays, as code writes them: an object only where one is empty. */
function arrays(mixed $value): mixed
{
    if ($value instanceof \stdClass) {
        return (array) $value === [] ? $value : array_map(arrays(...), (array) $value);
    }
    return is_array($value) ? array_map(arrays(...), $value) : $value;
}

function run(object $case): array
{
    global $now;
    $now = $case->clock;
    date_default_timezone_set($case->zone);
    ini_set('serialize_precision', '-1');
    putenv("PRIVATE_KEY={$case->key}");
    $data = $case->data === null ? null : arrays(json_decode($case->data));
    ['action' => $action, 'platform' => $platform, 'partnerId' => $partnerId] = (array) $case;
    eval('namespace Signing; use stdClass; ' . $case->program);
    return ['hash' => base64_encode($hash), 'time' => $time];
}

foreach (file('php://stdin') as $line) {
    try {
        echo json_encode(run(json_decode($line))), "\n";
    } catch (\Throwable $error) {
        echo json_encode(['error' => $error->getMessage()]), "\n";
    }
}
