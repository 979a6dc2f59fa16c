import { inPieces } from '#shared/json/text-pieces.ts';
import { phpData } from './data-literals.ts';
import { caVariable, unprintable, type Language, type ProgramCall } from './program.ts';

/** A PHP program over ext-curl. */
export const phpProgram: Language = {
  extension: 'php',
  mediaType: 'application/x-httpd-php',
  comment: '//',
  head: ({ notes, keyVariable }) => [
    '<?php',
    ...notes,
    'declare(strict_types=1);',
    '',
    'function send(string $url, array $headers, string $body): void',
    '{',
    '    $handle = curl_init($url);',
    '    curl_setopt_array($handle, [',
    '        CURLOPT_POST => true,',
    '        CURLOPT_POSTFIELDS => $body,',
    "        CURLOPT_HTTPHEADER => [...$headers, 'Expect:'],",
    '        CURLOPT_RETURNTRANSFER => true,',
    '    ]);',
    `    if ((string) getenv('${caVariable}') !== '') {`,
    `        curl_setopt($handle, CURLOPT_CAINFO, getenv('${caVariable}'));`,
    '    }',
    '    $answer = curl_exec($handle);',
    '    if ($answer === false) {',
    '        fwrite(STDERR, curl_error($handle) . "\\n");',
    '        exit(1);',
    '    }',
    '    echo $answer, "\\n";',
    '    fwrite(STDERR, \'HTTP \' . curl_getinfo($handle, CURLINFO_RESPONSE_CODE) . "\\n");',
    '}',
    '',
    ...(keyVariable === null
      ? []
      : [
          'function now(string $zone, string $format): string',
          '{',
          "    return (new DateTimeImmutable('now', new DateTimeZone($zone)))->format($format);",
          '}',
          '',
          `$key = (string) getenv('${keyVariable}');`,
          "if ($key === '') {",
          `    fwrite(STDERR, "Set ${keyVariable} to the private key of the environment.\\n");`,
          '    exit(1);',
          '}',
          '',
        ]),
  ],
  call: callLines,
};

function callLines({ url, headers, body }: ProgramCall): string[] {
  const list = headers.map(([name, value]) => `    ${quoted(`${name}: ${value}`)},`);
  const send = (text: string) => [`send(${quoted(url.href)}, [`, ...list, `], ${text});`];
  if (typeof body === 'string') return send(quoted(body));
  const pieces = body.parts.map((part) => (part.kind === 'text' ? quoted(part.text) : `$${part.kind}`));
  return [
    `$time = now(${quoted(body.timeZone)}, '${body.timeOrder === 'dmy' ? 'd-m-Y H:i:s' : 'Y-m-d H:i:s'}');`,
    // As a developer would, where PHP then makes the bytes that were sent.
    ...`$data = ${(body.data === null ? null : phpData(body.data, quoted)) ?? quoted(body.data ?? '')};`.split('\n'),
    "$hash = hash('sha256', $key . $time . $data);",
    ...send(pieces.join(' . ')),
  ];
}

function quoted(text: string): string {
  if (text.search(unprintable) === -1) return `'${inPieces(text, (piece) => piece.replace(/[\\']/g, '\\$&'))}'`;
  const escape = (character: string) => `\\u{${character.charCodeAt(0).toString(16)}}`;
  return `"${inPieces(text, (piece) => piece.replace(/[\\"$]/g, '\\$&').replace(unprintable, escape))}"`;
}
