import { expect, it } from 'vitest';
import { withHost } from './with-host.ts';

it.each([
  ['Host: localhost:8500', 'Host: provider.example', 'localhost:8500'],
  ['host:localhost:8500', 'host:provider.example', 'localhost:8500'],
  ['HOST :\tlocalhost  ', 'HOST :\tprovider.example  ', 'localhost'],
  ['Host:', 'Host:provider.example', ''],
  ['Host: provider.example', 'Host: provider.example', null],
  ['Host: Provider.Example', 'Host: Provider.Example', null],
  ['X-Host: localhost', 'X-Host: localhost', null],
  ['X: y\r\n Host: folded', 'X: y\r\n Host: folded', null],
])('%j becomes %j', (line, becomes, before) => {
  const head = (text: string) => Buffer.from(`POST / HTTP/1.1\r\nA: \u00ff\r\n${text}\r\nB: 2\r\n\r\n`, 'latin1');
  const passed = withHost(head(line), 'provider.example');
  expect(passed.head.toString('latin1')).toBe(head(becomes).toString('latin1'));
  expect(passed.before).toBe(before);
});
