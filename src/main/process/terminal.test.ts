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

it('colors a part of a line where it first occurs, on a stream with colors alone', async () => {
  const [stdin, stdout, stderr] = [new PassThrough(), Object.assign(new PassThrough(), { isTTY: true }), new PassThrough()];
  const terminal = createTerminal({ stdin, stdout, stderr, env: {} });
  await terminal.line('failed a.yaml failed \u001b[0m', ['failed', 'bad']);
  terminal.note('failed', ['failed', 'bad']);
  expect(String(stdout.read())).toBe('\u001b[31mfailed\u001b[39m a.yaml failed [ESC][0m\n');
  expect(String(stderr.read())).toBe('failed\n');
});
