import { EventEmitter } from 'node:events';
import type { App } from 'electron';
import { expect, it } from 'vitest';
import { answerLogins } from './proxy-logins.ts';

const proxy = { port: 4_001, username: 'croupier', password: 'secret' };
const ask = { firstAuthAttempt: true, isProxy: true, host: '127.0.0.1', port: proxy.port };

/** The reply to Chromium, and whether Electron was prevented from replying by itself. */
function start() {
  const app = new EventEmitter();
  const logins = answerLogins(app as unknown as Pick<App, 'on'>);
  logins.add(proxy);
  return {
    logins,
    login({ firstAuthAttempt, ...info }: typeof ask) {
      let prevented = false;
      const answers: unknown[][] = [];
      const event = { preventDefault: () => (prevented = true) };
      app.emit('login', event, null, { firstAuthAttempt }, info, (...answer: unknown[]) => answers.push(answer));
      expect(prevented).toBe(true);
      expect(answers).toHaveLength(1);
      return answers[0];
    },
  };
}

it('the proxy of a game is given its password', () => {
  expect(start().login(ask)).toEqual(['croupier', 'secret']);
});

it.each([
  ['a site at the same address and port', { isProxy: false }],
  ['a proxy at another address', { host: 'localhost' }],
  ['a proxy at another port', { port: 4_002 }],
  ['a proxy that did not take it', { firstAuthAttempt: false }],
])('%s is given nothing', (_who, other) => {
  expect(start().login({ ...ask, ...other })).toEqual([]);
});

it('whoever has the port of a proxy that is gone is given nothing', () => {
  const { logins, login } = start();
  logins.remove(proxy);
  expect(login(ask)).toEqual([]);
});
