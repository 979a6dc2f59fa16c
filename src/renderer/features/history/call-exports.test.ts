import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/errors.ts';
import type { CallSummary, Client, ExportedFile } from '#shared/ipc/index.ts';
import type { NoticeItem } from '#renderer/ui/notice.tsx';
import { createCallExports } from './call-exports.ts';

const files = ['pack.html', 'pack.json'].map((name): ExportedFile => ({
  name,
  mediaType: 'text/plain',
  text: `text of ${name}`,
}));

function setUp(answer: unknown) {
  const asked: unknown[] = [];
  const notices: Omit<NoticeItem, 'id'>[] = [];
  const saved: unknown[] = [];
  const client = {
    async call(name: string, input: unknown) {
      asked.push([name, input]);
      if (answer instanceof AppError) throw answer;
      return answer;
    },
  } as unknown as Client;
  const exportCalls = createCallExports(client, {
    notify: (notice) => void notices.push(notice),
    saveText: (...file) => void saved.push(file),
  });
  return { exportCalls, asked, notices, saved };
}

const calls = [{ id: 2 }, { id: 1 }] as CallSummary[];
const php = { format: 'php', form: 'resigning', keepTokens: false } as const;

describe('exports', () => {
  it('save every file and say what was masked', async () => {
    const { exportCalls, asked, notices, saved } = setUp({ files, masked: 3 });
    await exportCalls(calls, php);
    expect(asked).toEqual([['exports.create', { callIds: [2, 1], ...php }]]);
    expect(saved).toEqual([
      ['pack.html', 'text of pack.html', 'text/plain'],
      ['pack.json', 'text of pack.json', 'text/plain'],
    ]);
    expect(notices[0]?.text).toBe('Exported pack.html and pack.json. Tokens are masked in 3 places.');
    await exportCalls(calls, { ...php, keepTokens: true });
    expect(notices[1]?.text).toContain('Tokens are in it as they were sent.');
  });

  it('say a refusal as it is worded', async () => {
    const { exportCalls, notices, saved } = setUp(new AppError('refused', 'The file would hold the key.'));
    await exportCalls(calls, php);
    expect(saved).toEqual([]);
    expect(notices).toEqual([{ tone: 'bad', text: 'Nothing was exported. The file would hold the key.' }]);
  });
});
