import { request } from 'node:https';
import { SandboxPlayer, SandboxSamples } from '#shared/ipc/sandbox.ts';
import { startDeadline } from '../host/deadline.ts';
import { z } from '#shared/model/schema.ts';
import { withoutOverride } from '../network/connections.ts';

/** State of a running built-in provider, for programs on its home. */
export const ProviderState = z.strictObject({ players: z.array(SandboxPlayer), samples: SandboxSamples });
export type ProviderState = z.infer<typeof ProviderState>;

/** `absent`: no provider responds there. `otherKey`: one does, and this program does not have its key. */
export type ProviderReply = ProviderState | 'absent' | 'otherKey';

export interface ProviderQuestion {
  readonly baseUrl: string;
  /** The only authority that is trusted. */
  readonly ca: string;
  /** The player of the requested samples. */
  readonly playerId: string;
  /** Returns the digest of the key and a text; fails without a key. */
  readonly sign: (text: string) => Promise<string>;
}

const deadlineMs = 5_000;
const largestReply = 1_048_576;

/**
 * Asks the built-in provider of another program for its players and data. The question is signed, so that the response also shows
 * whether it would accept calls of this program. Nothing is sent to any other machine.
 */
export function askProvider({ baseUrl, ca, playerId, sign }: ProviderQuestion): Promise<ProviderReply> {
  if (ca === '' || !/^https:\/\/localhost:\d+$/.test(baseUrl)) return Promise.resolve('absent');
  const late = new AbortController();
  const deadline = startDeadline(deadlineMs, () => late.abort(), { unref: true });
  const asked = new Promise<ProviderReply>((resolve) => {
    const headers = { 'content-type': 'application/json' };
    const options = {
      method: 'POST',
      ca,
      headers,
      agent: false,
      rejectUnauthorized: true,
      signal: late.signal,
    };
    const question = withoutOverride(() => request(`${baseUrl}/croupier/state`, options));
    question.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
        if (text.length > largestReply) question.destroy();
      });
      response.on('end', () => resolve(response.statusCode === 403 ? 'otherKey' : readState(text)));
      response.on('error', () => resolve('absent'));
    });
    question.on('error', () => resolve('absent'));
    // The key is needed only once somebody is there.
    question.once('socket', (socket) => {
      socket.once('secureConnect', () => {
        const time = `croupier/state ${new Date().toISOString()}`;
        sign(time).then(
          (hash) => question.end(JSON.stringify({ time, hash, playerId })),
          () => {
            resolve('otherKey');
            question.destroy();
          },
        );
      });
    });
  });
  return asked.finally(() => deadline.clear());
}

function readState(text: string): ProviderReply {
  try {
    const read = ProviderState.safeParse(JSON.parse(text));
    return read.success ? read.data : 'absent';
  } catch {
    return 'absent';
  }
}
