import { expect, it } from 'vitest';
import { silenceLoadWarnings } from './load-warnings.ts';

it('keeps back what names an address of the network, and nothing else', () => {
  const emitted: unknown[][] = [];
  const process = { emitWarning: (...values: unknown[]) => void emitted.push(values) };
  silenceLoadWarnings(process);
  process.emitWarning('Failed to load URL: https://game.example/?token=secret with error: ERR_FAILED', 'electron', '');
  process.emitWarning('Failed to load URL: app://workbench/ with error: ERR_FAILED', 'electron', '');
  const error = new Error('old');
  process.emitWarning(error);
  expect(emitted).toEqual([['Failed to load URL: app://workbench/ with error: ERR_FAILED', 'electron', ''], [error]]);
});
