import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { describeWithTool } from '#testing/external-tools.ts';
import { nodeData, phpData } from './data-literals.ts';

/** Data whose bytes the usual encoders of PHP and Node make, in order, of the values that it stands for. */
const usual = [
  '{}',
  '{"roundId":1001,"logMonth":0}',
  '{"gameMode":"real","exitURL":"https://casino.example/lobby?a=1&b=2","note":"it\'s \\"$x\\" {$y}"}',
  '{"a":{"b":[1,[2,{}],[]],"c":{"1":2,"x":null}},"d":{"0":1},"e":[true,false]}',
  '{"amount":1.5,"small":1.0e-7,"negative":-12,"big":9007199254740991}',
  '{"name":"Zo\\u00eb \\ud83d\\ude00"}',
];
/** Data of which they make other bytes. */
const unusual = [
  '{"a":1.0}',
  '{ "a":1}',
  '{"a":18446744073709551616}',
  '{"a":1,"a":2}',
  '{"a":-0}',
  '[1]',
  'x',
  '{"u":"\\/"}',
  '{"u":"a\\nb"}',
];

const quoted = (text: string) => JSON.stringify(text).replaceAll('$', '\\$');

describeWithTool('php', 'a literal of PHP', (php) => {
  it('makes the bytes that were sent, in real PHP', () => {
    for (const data of [...usual, '{"name":"Zoë 😀"}', '{"a":9223372036854775807}', '{"1":2,"0":3}', '{"a":{"0":1,"1":2}}']) {
      const written = phpData(data, (text) => quoted(text).replaceAll(/\\u([0-9a-f]{4})/g, '\\u{$1}'));
      expect(written, data).not.toBeNull();
      const out = execFileSync(php, ['-r', `echo ${written};`], { encoding: 'utf8' });
      expect(out).toBe(data);
    }
  });

  it('is written for no data of which PHP makes other bytes', () => {
    for (const data of [...unusual, '{"a":-9223372036854775808}']) expect(phpData(data, quoted), data).toBeNull();
  });
});

it('in Node, a literal makes the bytes that were sent', () => {
  for (const data of [...usual, '{"name":"Zoë 😀"}'].filter((one) => !one.includes('1.0e-7'))) {
    const written = nodeData(data, JSON.stringify);
    expect(written, data).not.toBeNull();
    expect(execFileSync(process.execPath, ['-p', written ?? ''], { encoding: 'utf8' })).toBe(`${data}\n`);
  }
});

it('in Node, none is written for data of which Node makes other bytes', () => {
  for (const data of [...unusual, '{"a":9223372036854775807}', '{"b":1,"1":2}', '{"__proto__":1}'])
    expect(nodeData(data, JSON.stringify), data).toBeNull();
});

it('is laid out as a developer lays it out', () => {
  expect(phpData('{"roundId":1001,"games":["a"]}', (text) => `'${text}'`)?.split('\n')).toEqual([
    'json_encode([',
    "    'roundId' => 1001,",
    "    'games' => [",
    "        'a',",
    '    ],',
    '], JSON_UNESCAPED_SLASHES)',
  ]);
});
