import { expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { createFaultNotice, type NoticeOfFault } from './fault-notice.ts';

function setUp(copy: (text: string) => Promise<void> = async () => undefined) {
  const shown = new Map<string, NoticeOfFault>();
  const copied: string[] = [];
  let shows = 0;
  const faults = createFaultNotice({
    notify(notice) {
      shows += 1;
      shown.set(notice.id, notice);
    },
    copy(text) {
      copied.push(text);
      return copy(text);
    },
    where: () => 'Croupier 1.2.3, page of Test',
  });
  return { ...faults, text: () => shown.get('fault')?.text, shown, copied, count: () => shows };
}

const thrown = (message: string) => new TypeError(message);

it('shows a fault once, however often and over however many ways it comes', () => {
  const { show, text, shown, count } = setUp();
  const one = thrown('x is not a function');
  show(one);
  show(one);
  expect(count()).toBe(1);
  expect(text()).toMatch(/^An error in Croupier: TypeError: x is not a function\. What you typed is kept\. Try again;/);
  const again = () => thrown('y is undefined');
  for (let times = 0; times < 3; times += 1) show(again());
  expect(text()).toContain('TypeError: y is undefined (3 times).');
  expect(text()).toContain('2 different faults are in the details.');
  expect([...shown.keys()]).toEqual(['fault']);
  expect(shown.get('fault')).toMatchObject({ lasting: true, tone: 'bad' });
});

it('copies the details of all of them, and says so', async () => {
  const { show, tell, shown, copied } = setUp();
  show(thrown('in the page'));
  tell({ message: 'RangeError: in core', details: 'Croupier 1.2.3, Browser\nRangeError: in core' });
  shown.get('fault')?.action?.run();
  await vi.waitFor(() => expect(shown.get('fault-copied')?.text).toBe('Copied the details.'));
  expect(copied[0]).toMatch(
    /^Croupier 1\.2\.3, page of Test\nTypeError: in the page\n {4}at .*\n[^]*seen 1 times\n\nCroupier 1\.2\.3, Browser\nRangeError: in core/,
  );
});

it('stays where the browser does not copy', async () => {
  const { show, shown } = setUp(() => Promise.reject(new Error('no')));
  show(thrown('in the page'));
  const { action } = shown.get('fault') ?? {};
  shown.delete('fault');
  action?.run();
  await vi.waitFor(() => expect(shown.get('fault-copied')?.tone).toBe('bad'));
  expect(shown.has('fault')).toBe(true);
});

it('shows a refusal that no screen took in its own words, and nothing of what was cancelled or is told by core', () => {
  const { show, shown } = setUp();
  show(new AppError('cancelled', 'Cancelled.'));
  show(new AppError('internal', 'Something went wrong (fault a1).', { fault: 'a1' }));
  show(new AppError('conflict', 'The name is taken.'));
  expect([...shown.values()].map(({ text }) => text)).toEqual(['The name is taken.']);
});

it('keeps the last ten faults', () => {
  const { show, shown, copied } = setUp();
  for (let number = 0; number < 15; number += 1) show(thrown(`fault ${String.fromCharCode(97 + number)}`));
  shown.get('fault')?.action?.run();
  expect(copied[0]?.match(/TypeError/g)).toHaveLength(10);
  expect(copied[0]).toContain('fault o');
  expect(copied[0]).not.toContain('fault a\n');
});
