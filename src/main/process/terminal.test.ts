import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createTerminal, type Lost } from './terminal.ts';

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

it('writes no text that is to be hidden, wherever it goes', async () => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), Object.assign(new PassThrough(), { isTTY: true })];
  const terminal = createTerminal({ stdin, stdout, stderr, env: {} });
  terminal.hide((text) => text.replaceAll('secret', '[hidden]'));
  await terminal.line('a secret');
  await terminal.result('"secret"');
  terminal.note('no secret');
  terminal.ask('secret? ');
  terminal.progress('secret 1 %');
  expect(String(stdout.read())).toBe('a [hidden]\n"[hidden]"\n');
  expect(String(stderr.read())).toBe('no [hidden]\n[hidden]? \r\u001b[K[hidden] 1 %');
});

it('tells the same line twice in a row once', () => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const terminal = createTerminal({ stdin, stdout, stderr, env: {} });
  for (const line of ['a', 'a', 'b', 'a']) terminal.note(line);
  expect(String(stderr.read())).toBe('a\nb\na\n');
});

it('writes nothing more to an output that is lost, and says once why', async () => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough({ highWaterMark: 1 }), new PassThrough()];
  const losses: Lost[] = [];
  const terminal = createTerminal({ stdin, stdout, stderr, env: {} }, (lost) => void losses.push(lost));
  terminal.note('seen');
  // Nobody reads, so the line waits; it does not wait for a reader that is gone.
  const waiting = terminal.line('a');
  stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  await waiting;
  await terminal.line('b');
  stdout.emit('error', new Error('again'));
  stderr.emit('error', Object.assign(new Error('no space'), { code: 'ENOSPC' }));
  terminal.note('c');
  expect(losses).toEqual([
    { reader: true, message: 'write EPIPE' },
    { reader: false, message: 'no space' },
  ]);
  expect([String(stdout.read()), String(stderr.read())]).toEqual(['a\n', 'seen\n']);
});
