import { describe, expect, it } from 'vitest';
import type { Call, Client } from '#shared/ipc/index.ts';
import { copyItems, createCallCopies } from './copy-call.ts';

function setUp({ hashInput = { time: 'T', dataJson: '{"a":1}' } as { time: string; dataJson: string } | null } = {}) {
  const asked: unknown[] = [];
  const copied: string[] = [];
  const saved: string[] = [];
  const notices: string[] = [];
  const client = {
    async call(name: string, input: unknown) {
      if (name === 'calls.get') return { request: { bodyText: '{"hash":"x"}', hashInput } } as Call;
      if (name === 'exports.create') {
        asked.push(input);
        return { id: 'e', files: [{ name: 'call.php', mediaType: 'text/x-php' }], calls: 1 };
      }
      return { step: 'write', done: 1, total: 1, file: 0, text: '<?php', masked: 2, ended: true };
    },
  } as unknown as Client;
  const store = createCallCopies(client, {
    notify: ({ text }) => void notices.push(typeof text === 'string' ? text : ''),
    copy: async (text) => void copied.push(text),
    saveText: (name, text) => void saved.push(`${name}: ${text}`),
  });
  return { store, asked, copied, saved, notices };
}

describe('a copied call', () => {
  it('is a program with its tokens masked, or as they were sent', async () => {
    const { store, asked, copied, notices } = setUp();
    await store.getState().run(7, 'phpSigning');
    store.getState().setKeepTokens(true);
    await store.getState().run(7, 'curl');
    expect(asked).toEqual([
      { callIds: [7], format: 'php', form: 'resigning', keepTokens: false },
      { callIds: [7], format: 'curl', form: 'as-sent', keepTokens: true },
    ]);
    expect(copied).toEqual(['<?php', '<?php']);
    expect(notices).toEqual([
      'Copied call 7: PHP, re-signed. Tokens are masked in 2 places.',
      'Copied call 7: cURL. Tokens are included as sent.',
    ]);
  });

  it('is its hash input without the key, or its body, to the clipboard or to a file', async () => {
    const { store, copied, saved, notices } = setUp();
    await store.getState().run(7, 'hashInput');
    store.getState().setTarget('file');
    await store.getState().run(7, 'body');
    await store.getState().run(7, 'body', 'clipboard');
    expect(copied).toEqual(['<PRIVATE_KEY>T{"a":1}', '{"hash":"x"}']);
    expect(saved).toEqual(['call-7-body.json: {"hash":"x"}']);
    expect(notices[1]).toBe('Saved call-7-body.json. As sent.');
  });

  it('says so where a method is not signed', async () => {
    const { store, copied, notices } = setUp({ hashInput: null });
    await store.getState().run(7, 'hashInput');
    expect([copied, notices]).toEqual([[], ["Call 7 was not copied. This method isn't signed, so it has no hash input."]]);
    const off = copyItems(store.getState(), false, () => undefined).flatMap((item) =>
      typeof item === 'object' && 'disabled' in item && 'id' in item && item.disabled === true ? [item.id] : [],
    );
    expect(off).toEqual(['phpSigning', 'nodeSigning', 'pythonSigning', 'hashInput']);
  });
});
