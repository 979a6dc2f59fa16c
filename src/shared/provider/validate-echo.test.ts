import { describe, expect, it } from 'vitest';
import { validateEcho } from './validate-echo.ts';
import { operationByName } from './operations.ts';
import type { OperationName } from '../model/operations.ts';

const found = (name: OperationName, form: string, request: unknown, response: unknown) =>
  validateEcho(operationByName(name), form, JSON.stringify(request), JSON.stringify(response)).map(
    ({ rule, severity, path, message }) => [rule, severity, path, message],
  );

describe('the reference of a free round', () => {
  const request = { data: { externalReferenceId: 'promo-1' } };
  const answer = (referenceId: unknown) => ({ code: 0, message: 'ok', data: { referenceId } });

  it('has to echo the one that was sent', () => {
    expect(found('freeRounds', 'single', request, answer('promo-1'))).toEqual([]);
    expect(found('freeRounds', 'single', request, answer('promo-2'))).toEqual([
      [
        'reference-echo',
        'warning',
        '/data/referenceId',
        'referenceId is "promo-2"; this call sent externalReferenceId "promo-1". The spec says that referenceId echoes it.',
      ],
    ]);
  });

  it('is not judged where one of the two is not there, nor for many players, whose response is not shown', () => {
    expect(found('freeRounds', 'single', {}, answer('x'))).toEqual([]);
    expect(found('freeRounds', 'single', request, answer(5))).toEqual([]);
    expect(found('freeRounds', 'single', request, { code: 0, data: null })).toEqual([]);
    expect(found('freeRounds', 'multi', request, answer('x'))).toEqual([]);
    expect(found('freeRoundsByBet', 'main', request, answer('x'))).toEqual([]);
  });

  it('is compared as text, not as it is written', () => {
    const escaped = '{"code":0,"data":{"referenceId":"promo\\u002d1"}}';
    expect(validateEcho(operationByName('freeRounds'), 'single', JSON.stringify(request), escaped)).toEqual([]);
  });
});

describe('a launcher URL', () => {
  const request = {
    platform: 7,
    partnerId: 31,
    data: { gameMode: 'real', gameId: '1042', lang: 'en', externalToken: 'tok', exitURL: '' },
  };
  const url = 'https://g.example/?partnerId=31&gameId=1042&gameMode=real&lang=en&platform=7&externalToken=tok&exitURL=';
  const check = (changed: string, sent: object = request) =>
    found('getLauncherURL', 'main', sent, { code: 0, message: 'ok', data: { launcherURL: changed } });

  it('that agrees has no finding', () => {
    expect(check(url)).toEqual([]);
  });

  it('of another partner, game or mode is a finding each', () => {
    const other = url.replace('partnerId=31', 'partnerId=32').replace('gameMode=real', 'gameMode=fun');
    expect(check(other)).toEqual([
      ['launch.different', 'warning', '/data/launcherURL', 'partnerId of the launcher URL is "32"; this call sent "31".'],
      ['launch.different', 'warning', '/data/launcherURL', 'gameMode of the launcher URL is "fun"; this call sent "real".'],
    ]);
  });

  it('never quotes a token', () => {
    const findings = check(url.replace('externalToken=tok', 'externalToken=secret'));
    expect(findings[0]?.[0]).toBe('launch.different');
    expect(JSON.stringify(findings)).not.toMatch(/secret|"tok"/);
  });

  it.each([
    ['twice', `${url}&lang=de`, 'launch.duplicated', 'warning'],
    ['not of its form', url.replace('gameMode=real', 'gameMode=real&country=DEU'), 'launch.different', 'warning'],
    ['not documented', `${url}&theme=dark`, 'launch.undocumented', 'note'],
    ['not encoded', url.replace('exitURL=', 'exitURL=<>'), 'launch.different', 'warning'],
  ])('with a parameter that is %s', (_, changed, rule, severity) => {
    expect(check(changed)[0]?.slice(0, 2)).toEqual([rule, severity]);
  });

  it('in fun mode has no token', () => {
    const fun = { ...request, data: { ...request.data, gameMode: 'fun', externalToken: '' } };
    expect(check(url.replace('real', 'fun'), fun)).toEqual([
      [
        'launch.token',
        'warning',
        '/data/launcherURL',
        'externalToken of the launcher URL is present in fun mode; the spec has none there.',
      ],
    ]);
  });
});
