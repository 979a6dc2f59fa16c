import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createTerminal } from './terminal.ts';

it('names what a terminal would obey or not show in lines for a person, and changes nothing in those for a program', async () => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const terminal = createTerminal({ stdin, stdout, stderr, env: {} });
  const name = 'user\u202enimda\u2066\u001b[31m\u200b Zoë';
  await terminal.line(`${name}\r\n\tno second line`);
  await terminal.result(JSON.stringify(name));
  await terminal.resultBytes(Buffer.from(name));
  terminal.note(name);
  terminal.ask(name);
  const plain = 'user[RLO]nimda[LRI][ESC][31m[ZWSP] Zoë';
  expect(String(stdout.read())).toBe(`${plain}[CR][LF]\tno second line\n${JSON.stringify(name)}\n${name}`);
  expect(String(stderr.read())).toBe(`${plain}\n${plain}`);
});
