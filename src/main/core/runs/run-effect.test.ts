import { describe, expect, it } from 'vitest';
import { CollectionRequest, type Variables } from '#shared/collections/model.ts';
import { Environment } from '#shared/ipc/index.ts';
import { prepareIterations } from './iterations.ts';
import type { Plan } from './plan.ts';
import { effectOfRun } from './run-effect.ts';

const environment = Environment.parse({ id: 'e', name: 'Live', baseUrl: 'https://a.example', platform: 1, partnerId: 2 });
const bet = (amount: string) => ({ operation: 'bet', data: `{"playerId":"p","amount":${amount},"currency":"EUR"}` });
type Made = { operation: string; data?: string; form?: string } | null;

interface Asked {
  requests: Made[];
  folders?: Variables[];
  needs?: Record<number, [string, number][]>;
  collection?: Variables;
  data?: string;
  repeat?: number;
  variables?: Variables;
  only?: ReadonlyMap<number, readonly number[]>;
  settings?: Partial<Environment>;
  session?: Variables;
}

async function effect({ requests, folders = [], needs = {}, collection = {}, data, ...rest }: Asked) {
  const plan: Plan = {
    requests: requests.map((request, at) => ({
      path: `r${at}`,
      request: request === null ? null : CollectionRequest.parse(request),
      problem: '',
      folders,
    })),
    needs: requests.map((_, at) => new Map(needs[at] ?? [])),
    collection,
    warnings: [],
    used: new Set(),
    takersFor: async () => undefined,
  };
  const iterations = await prepareIterations(
    {
      repeat: rest.repeat ?? 1,
      variables: rest.variables ?? {},
      data: data === undefined ? null : { format: 'csv', text: data },
    },
    () => Promise.resolve(),
  );
  return effectOfRun({
    name: 'a run',
    plan,
    iterations,
    only: rest.only ?? null,
    environment: { ...environment, ...rest.settings },
    session: rest.session ?? {},
    now: Date.UTC(2026, 10, 20),
  });
}

const moved = (calls: number, amount: string, unknown = 0) =>
  expect.objectContaining({ calls, money: [{ amount, currency: 'EUR' }], unknown });

describe('the effect of a run', () => {
  it('is that of its writes, times the iterations, and counts every request', async () => {
    expect(await effect({ requests: [bet('1.50'), { operation: 'gameList' }, bet('0.25'), null], repeat: 1_000 })).toEqual({
      name: 'a run',
      requests: 4_000,
      minorUnits: false,
      sums: [moved(2_000, '1750.00')],
    });
    expect(await effect({ requests: [{ operation: 'gameList' }] })).toMatchObject({ requests: 1, sums: [] });
  });

  it('takes each value from where the run would: data row, run, folder, collection, environment', async () => {
    const requests = [bet('{{amount}}')];
    const collection = { amount: '1' };
    expect(await effect({ requests, collection })).toMatchObject({ sums: [moved(1, '1')] });
    expect(await effect({ requests, collection, folders: [{ amount: '2' }] })).toMatchObject({ sums: [moved(1, '2')] });
    const folders = [{ amount: '2' }];
    expect(await effect({ requests, collection, folders, variables: { amount: '3' } })).toMatchObject({ sums: [moved(1, '3')] });
    const data = 'amount\n4\n5\n';
    expect(await effect({ requests, collection, folders, variables: { amount: '3' }, data, repeat: 2 })).toMatchObject({
      requests: 4,
      sums: [moved(4, '18')],
    });
    expect(await effect({ requests, session: { amount: '6' } })).toMatchObject({ sums: [moved(1, '6')] });
    expect(await effect({ requests: [bet('{{partnerId}}')] })).toMatchObject({ sums: [moved(1, '2')] });
  });

  it('leaves out what cannot be made, and counts what a response will give as unknown', async () => {
    const sums = [moved(1, '2', 0)];
    expect(await effect({ requests: [bet('{{nobody}}'), bet('2')] })).toMatchObject({ requests: 2, sums });
    const broken = { form: 'single', data: '{"playerId":' };
    expect(await effect({ requests: [{ operation: 'freeRounds', ...broken }, bet('2')] })).toMatchObject({ sums });
    const needs = { 1: [['amount', 0]] } satisfies Asked['needs'];
    // The value of a response goes before all others, and no name of a prototype is one.
    expect(await effect({ requests: [bet('2'), bet('{{amount}}')], needs, variables: { amount: '9' } })).toMatchObject({
      sums: [moved(2, '2', 1)],
    });
    expect(await effect({ requests: [bet('2'), bet('{{constructor}}')], needs })).toMatchObject({ sums: [moved(1, '2')] });
  });

  it('is of the chosen requests and what they depend on, in the iterations that are chosen', async () => {
    const requests = [bet('1'), bet('10'), bet('100')];
    const needs = { 2: [['x', 0]] } satisfies Asked['needs'];
    const data = 'n\n1\n2\n3\n';
    const only = new Map([
      [1, [1]],
      [3, [2]],
    ]);
    expect(await effect({ requests, needs, only, data })).toMatchObject({ requests: 3, sums: [moved(3, '111')] });
    expect(await effect({ requests, needs, only, repeat: 3 })).toMatchObject({ requests: 3, sums: [moved(3, '111')] });
  });

  it('says whether amounts are minor units, as the environment’s answer does', async () => {
    const settings = { answers: { 'amounts.unit': { value: 'minor', note: '' } } };
    expect(await effect({ requests: [bet('150')], settings })).toMatchObject({ minorUnits: true });
  });
});
