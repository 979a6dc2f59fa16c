import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxVerdict } from '#shared/ipc/index.ts';
import { type RunningSandbox, type SandboxOptions, startSandbox } from '#sandbox/server.ts';

/** A response as received: `json` for assertions, `text` for exact numbers. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // Parsed for assertions only, which check its shape themselves.
  readonly json: { readonly [name: string]: unknown };
}

export interface TestSandbox extends RunningSandbox {
  readonly directory: string;
  readonly verdicts: SandboxVerdict[];
  /** The requests that were sent, and their responses. */
  readonly exchanges: { readonly path: string; readonly body: string; readonly answer: TestAnswer }[];
  /** Sends one request, trusting the provider's own authority and nothing else. */
  send(path: string, body: string | Uint8Array, options?: { method?: string; type?: string }): Promise<TestAnswer>;
  /** Sends a signed call: `data` is JSON text, hashed and sent unchanged. `envelope` replaces or adds members (JSON text). */
  call(action: string, data?: string, envelope?: Readonly<Record<string, string>>): Promise<TestAnswer>;
  /** Sends a wallet method with this body. */
  wallet(method: string, body: Readonly<Record<string, unknown>>): Promise<TestAnswer>;
  lastWhy(): string;
}

export const testKey = 'test-private-key-not-a-secret';
export const testTime = '20-11-2026 10:15:30';

/** Computes the spec's hash without code of the project. */
export function testHash(data: string, time = testTime): string {
  return createHash('sha256')
    .update(testKey + time + data, 'utf8')
    .digest('hex');
}

/** Starts a provider on a free port, with a client that pins it; `close` ends both. */
export async function startTestSandbox(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
  const directory = await mkdtemp(join(tmpdir(), 'croupier-sandbox-'));
  const verdicts: SandboxVerdict[] = [];
  const exchanges: TestSandbox['exchanges'] = [];
  const sandbox = await startSandbox({
    privateKey: testKey,
    platform: 7,
    partnerId: 12,
    directory,
    exclusively: (work) => work(),
    port: 0,
    onVerdict: (verdict) => verdicts.push(verdict),
    ...options,
  });
  const agent = new Agent({ ca: sandbox.ca, keepAlive: true });

  function send(path: string, body: string | Uint8Array, extra: { method?: string; type?: string } = {}) {
    return new Promise<TestAnswer>((resolve, reject) => {
      const headers = {
        'content-type': extra.type ?? 'application/json',
        'content-length': Buffer.byteLength(body),
      };
      const sent = request(`${sandbox.baseUrl}${path}`, { method: extra.method ?? 'POST', agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const isJson = response.headers['content-type'] === 'application/json';
          const json = isJson ? JSON.parse(text) : {};
          const answer = { status: response.statusCode ?? 0, headers: response.headers, text, json };
          if (isJson) exchanges.push({ path, body: Buffer.from(body).toString('utf8'), answer });
          resolve(answer);
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  return {
    ...sandbox,
    directory,
    verdicts,
    exchanges,
    send,
    call(action, data, envelope = {}) {
      const members: Record<string, string> = {
        action: JSON.stringify(action),
        platform: '7',
        partnerId: '12',
        time: JSON.stringify(testTime),
        ...(data === undefined ? {} : { data }),
        hash: JSON.stringify(testHash(data ?? '')),
        ...envelope,
      };
      const parts = Object.entries(members).map(([name, value]) => `${JSON.stringify(name)}:${value}`);
      return send('/serviceApi.php', `{${parts.join(',')}}`);
    },
    wallet: (method, body) => send(`/${method}`, JSON.stringify(body)),
    lastWhy: () => verdicts.at(-1)?.verdict.why ?? '',
    async close() {
      agent.destroy();
      await sandbox.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
