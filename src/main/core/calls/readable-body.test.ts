import { Buffer } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { describeWithTool } from '#testing/external-tools.ts';
import { runPhp } from '#testing/php-oracle.ts';
import { readableBody } from './readable-body.ts';

const json = '{"code":0,"message":"ok é"}';
const latin1 = Buffer.from(json, 'latin1');
const utf16 = Buffer.from(json, 'utf16le');
const utf32 = Buffer.from(Uint32Array.from(json, (unit) => unit.codePointAt(0) ?? 0).buffer);
const bigEndian = Buffer.from(utf16).swap16();
const html = (level: string, line = 3) =>
  `<br />\n<b>${level}</b>:  Undefined variable $a in <b>/var/www/a b.php</b> on line <b>${line}</b><br />\n`;
const plain = (level: string) => `\n${level}: Undefined variable $a in /var/www/a.php on line 3\n`;

describe('a body that can be made JSON in UTF-8', () => {
  it.each<[name: string, body: Buffer, type: string | null, rule: string, words: string]>([
    [
      'a byte order mark',
      Buffer.concat([Buffer.from('efbbbf', 'hex'), Buffer.from(json)]),
      null,
      'answer.bom',
      'byte order mark',
    ],
    ['UTF-16 with a mark', Buffer.concat([Buffer.from('fffe', 'hex'), utf16]), null, 'answer.charset', 'in UTF-16 LE;'],
    [
      'UTF-16 with a mark, the other way round',
      Buffer.concat([Buffer.from('feff', 'hex'), bigEndian]),
      null,
      'answer.charset',
      'in UTF-16 BE;',
    ],
    ['UTF-32 with a mark', Buffer.concat([Buffer.from('fffe0000', 'hex'), utf32]), null, 'answer.charset', 'in UTF-32 LE;'],
    ['UTF-32 without', utf32, null, 'answer.charset', 'in UTF-32 LE;'],
    ['UTF-16 without', utf16, 'application/json', 'answer.charset', 'in UTF-16 LE;'],
    ['UTF-16 without, the other way round', bigEndian, null, 'answer.charset', 'in UTF-16 BE;'],
    ['Latin-1 by its header', latin1, 'application/json; charset=ISO-8859-1', 'answer.charset', 'in ISO-8859-1;'],
    ['Latin-1 in quotes', latin1, 'text/html;Charset="latin1"', 'answer.charset', 'in LATIN1;'],
    [
      'a warning of PHP',
      Buffer.from(html('Warning') + json),
      null,
      'answer.php',
      'a warning before the response, in /var/www/a b.php on line 3.',
    ],
    [
      'two notices',
      Buffer.from(html('Notice') + html('Warning', 9) + json),
      null,
      'answer.php',
      'a notice and 1 more before the response',
    ],
    ['a deprecation as text', Buffer.from(plain('Deprecated') + json), null, 'answer.php', 'a deprecation before'],
    [
      'PHP on standard error',
      Buffer.from(`PHP Warning:  x in /a.php on line 12\n${json}`),
      null,
      'answer.php',
      'in /a.php on line 12.',
    ],
    ['a warning behind it', Buffer.from(json + html('Warning')), null, 'answer.php', 'a warning after the response'],
    ['a warning behind it as text', Buffer.from(json + plain('Notice')), null, 'answer.php', 'Croupier read the JSON before it'],
  ])('%s', (_, body, type, rule, words) => {
    const read = readableBody(body, type);
    expect(read.body.toString()).toBe(json);
    expect(read.findings.map((one) => [one.rule, one.severity])).toEqual([[rule, 'warning']]);
    expect(read.findings[0]?.message).toContain(words);
  });
});

describe('a body that stays as it came', () => {
  it.each<[name: string, body: Buffer, type: string | null, rules: readonly string[]]>([
    ['JSON', Buffer.from(json), 'application/json; charset=latin1', []],
    ['a value', Buffer.from('"Warning: a in /a.php on line 1"'), null, []],
    ['nothing', Buffer.alloc(0), null, []],
    ['bytes of no encoding', latin1, null, []],
    ['bytes of an encoding that nobody has', latin1, 'a/b; charset=klingon', []],
    ['bytes that are not of their encoding', Buffer.from('ff', 'hex'), 'a/b; charset=utf-8', []],
    ['HTML', Buffer.from('<html><b>Warning</b>: no</html>'), null, []],
    ['a fatal error alone', Buffer.from(html('Fatal error')), null, ['answer.php error']],
    ['a warning before HTML', Buffer.from(`${html('Warning')}<html>`), null, ['answer.php error']],
    ['half of a message behind JSON', Buffer.from(`${json}\n<b>Warning</b>: a in`), null, []],
  ])('%s', (_, body, type, rules) => {
    const read = readableBody(body, type);
    expect(read.body).toBe(body);
    expect(read.findings.map(({ rule, severity }) => `${rule} ${severity}`)).toEqual(rules);
  });
});

describeWithTool('php', 'what PHP itself prints beside a response', (php) => {
  const programs = {
    warning: '$x = $gone; echo $json;',
    'several in one': '$x = $gone; $y = $lost["a"]; strpos(); echo $json;',
    notice: 'trigger_error("odd & <b>bold</b>", E_USER_NOTICE); echo $json;',
    deprecation: 'trigger_error("old", E_USER_DEPRECATED); echo $json;',
    'behind it': 'echo $json; $x = $gone;',
    'of an include': '@include "/none"; include "/none.php"; echo $json;',
  } as const;
  it.each(Object.entries(programs))('%s', (name, program) => {
    for (const asHtml of ['0', '1']) {
      const code = `$json = '{"code":0}'; try { ${program} } catch (Error $e) { echo $json; }`;
      const args = ['-d', 'display_errors=1', '-d', 'log_errors=0', '-d', `html_errors=${asHtml}`, '-r', code];
      const read = readableBody(Buffer.from(runPhp(php, args, '')), 'text/html');
      expect(read.body.toString()).toBe('{"code":0}');
      expect(read.findings).toMatchObject([{ rule: 'answer.php' }]);
      expect(read.findings[0]?.message).toMatch(
        name === 'behind it' ? /^PHP printed a warning after .* on line 1\. / : /^PHP printed an? \w+.* before .* on line 1\. /,
      );
    }
  });

  it('an exception that nobody caught, in place of a response', () => {
    const args = ['-d', 'display_errors=1', '-d', 'log_errors=0', '-d', 'html_errors=1', '-r', 'throw new Error("no");'];
    const { stdout } = spawnSync(php, args, { encoding: 'utf8' });
    expect(readableBody(Buffer.from(stdout), null).findings[0]?.message).toMatch(
      /^PHP printed a fatal error instead of .* on line 1\.$/,
    );
  });
});
