import { expect, it } from 'vitest';
import type { Call } from '../ipc/outputs/calls.ts';
import { unreadRule } from '../provider/findings.ts';
import { explainCall } from './explain-call.ts';
import { plainText } from './sentence.ts';

it('says of a response that was not read why, and blames nobody', () => {
  const message = 'The response was not read: it is nested 5,000 levels deep; Croupier reads at most 1,000.';
  const call = {
    operation: 'gameList',
    url: 'https://a.example/serviceApi.php',
    state: 'answered',
    status: 200,
    code: null,
    request: { hashInput: null, headers: [], bodyText: '{}' },
    response: { status: 200, headers: [['content-type', 'application/json']], bodyBytes: 1, truncated: false },
    findings: [{ rule: unreadRule, severity: 'warning', path: '', message }],
  } as unknown as Call;
  const explained = explainCall({ call, environment: null, accepted: null, keys: null, finding: null, responseText: null });
  expect(explained).toMatchObject({ tone: 'note', steps: [], links: [] });
  expect(plainText(explained?.title ?? [])).toBe(message);
});
