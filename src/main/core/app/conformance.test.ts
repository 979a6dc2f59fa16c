import { expect, it } from 'vitest';
import * as model from '#shared/collections/model.ts';
import * as request from '#shared/collections/reported-request.ts';
import * as report from '#shared/collections/run-report.ts';
import { eventNames } from '#shared/ipc/event-names.ts';
import * as contract from '#shared/ipc/index.ts';
import { events, outputs } from '#shared/ipc/outputs/index.ts';
import { createTestApp } from '#testing/app.ts';
import { runConformance } from '#testing/conformance.ts';
import { textsOfCall } from '#testing/contract-inputs.ts';
import { contractText } from '#testing/contract-text.ts';

runConformance('in-process', async () => {
  const { app, close } = await createTestApp({ sandbox: true });
  return { transport: app.transport, close };
});

const topics = Object.values(import.meta.glob<Record<string, unknown>>('../../../shared/ipc/outputs/*.ts', { eager: true }));
const { inputs } = contract;

it('every call has an output, and every event a name', () => {
  expect(Object.keys(outputs).sort()).toEqual(Object.keys(inputs).sort());
  expect(Object.keys(events).sort()).toEqual([...eventNames].sort());
});

it('every text that a page may send has a most, or a form', () => {
  const endless = (Object.keys(inputs) as (keyof typeof inputs)[]).flatMap((name) =>
    textsOfCall(name, Infinity).map(({ path }) => `${name} ${path.join('.')}`),
  );
  expect(endless).toEqual([]);
});

it('the inside contract is the one that was reviewed', async () => {
  const text = contractText({ inputs, outputs, events, modules: [contract, model, request, report, ...topics] });
  await expect(text).toMatchFileSnapshot('./contract.snapshot.txt');
});
