import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { ExportFormat } from '#shared/ipc/index.ts';
import { isProgram } from '#shared/model/formats.ts';
import { exportedCalls, exportedEnvironments } from '#testing/exported-calls.ts';
import { exportFiles, writeExport, type ExportSource } from './write-export.ts';

/**
 * Digests of exports by a writer that wrote them as a whole and searched each token by itself, one line each. If a sentence of an
 * export changes, so do its digests: first check that with the old sentence they are the same as before.
 */
const recorded = readFileSync(new URL('./fixtures/written-as-a-whole.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n');

function written(seed: number, count: number, request: Pick<ExportSource['request'], 'format' | 'form' | 'keepTokens'>): string {
  const calls = exportedCalls(seed, count);
  const source: ExportSource = {
    request: { callIds: [1], keyVariable: 'KEY', ...request },
    ids: calls.map(({ call }) => call.id),
    environments: exportedEnvironments,
    version: '1.2.3',
    runtime: 'Node 24',
    now: 1_790_000_000_000,
  };
  const facts = {
    operation: calls[0]?.call.operation ?? '',
    environmentIds: [...new Set(calls.map(({ call }) => call.environmentId))],
    signed: calls.some(({ call }) => call.request.hashInput !== null),
  };
  const files = exportFiles(source, facts).map((file) => ({ ...file, text: '' }));
  const hidden: number[] = [];
  let masked = 0;
  for (const step of writeExport(source, facts, (id) => calls[id - 1] as (typeof calls)[number])) {
    for (const [at, text] of step.texts.entries()) (files[at] as { text: string }).text += text;
    if (step.hidden.length > 0) hidden.push(step.done - 1);
    masked = step.masked;
  }
  const lines = files.map(
    ({ name, mediaType, text }) => `${name} ${mediaType} ${text.length} ${createHash('sha256').update(text).digest('hex')}`,
  );
  return [...lines, `${masked} ${hidden.join(',')}`].join('; ');
}

it('writes the very bytes of before, call by call, in every format and form, with tokens masked and kept', () => {
  const now: string[] = [];
  for (const [seed, count] of [
    [1, 1],
    [2, 2],
    [3, 40],
    [4, 90],
  ] as const) {
    for (const format of ExportFormat.options) {
      for (const form of isProgram(format) ? (['as-sent', 'resigning'] as const) : (['as-sent'] as const)) {
        for (const keepTokens of [false, true]) {
          let outcome: string;
          try {
            outcome = written(seed, count, { format, form, keepTokens });
          } catch (error) {
            outcome = error instanceof AppError ? error.message : String(error);
          }
          now.push(`${seed} ${format} ${form} ${keepTokens ? 'kept' : 'masked'}: ${outcome}`);
        }
      }
    }
  }
  expect(now.toSorted()).toEqual(recorded);
});
