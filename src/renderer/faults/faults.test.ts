import { afterEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { asAppError, faultMessage, listenToFaults, orNull, reportIfFault, startWork, watchFaults } from './faults.ts';

let stop = () => {};
afterEach(() => stop());

function listen(): unknown[] {
  const heard: unknown[] = [];
  stop = listenToFaults((error) => void heard.push(error));
  return heard;
}

const refusal = new AppError('conflict', 'The name is taken.');
const fault = new TypeError('x is not a function');

describe('the work of a page', () => {
  it('reports what it throws', async () => {
    const heard = listen();
    startWork(Promise.reject(fault));
    startWork(Promise.reject(refusal));
    startWork(Promise.resolve(1));
    startWork(undefined);
    await vi.waitFor(() => expect(heard).toEqual([fault, refusal]));
  });

  it('shows a refusal as it is, and a fault as what to do, which is reported once', () => {
    const heard = listen();
    expect(asAppError(refusal)).toBe(refusal);
    const shown = asAppError(fault);
    expect([shown.code, shown.message]).toEqual(['internal', faultMessage]);
    expect(asAppError(shown)).toBe(shown);
    expect(heard).toEqual([fault]);
  });

  it('goes without what is refused or fails, and reports only the fault', async () => {
    const heard = listen();
    expect(await orNull(Promise.resolve(7))).toBe(7);
    expect(await orNull(Promise.reject(refusal))).toBe(null);
    expect(await orNull(Promise.reject(fault))).toBe(null);
    reportIfFault(refusal);
    expect(heard).toEqual([fault]);
  });
});

it('reports what nobody caught in the page, but for the remark on layout', () => {
  const heard = listen();
  const page = new EventTarget();
  const stopWatching = watchFaults(page as unknown as Window);
  const send = (type: string, members: object) => page.dispatchEvent(Object.assign(new Event(type), members));
  send('error', { error: fault, message: 'Uncaught TypeError' });
  send('error', { error: null, message: 'Script error.' });
  send('error', { error: null, message: 'ResizeObserver loop completed with undelivered notifications.' });
  send('unhandledrejection', { reason: refusal });
  stopWatching();
  send('unhandledrejection', { reason: refusal });
  expect(heard).toEqual([fault, new Error('Script error.'), refusal]);
});
