import { startWork } from '#renderer/faults/faults.ts';
import type { Connection } from './connection.ts';

/** Messages between the pages of one browser. Only pages of the same origin hear them; no session is in them. */
type Said =
  /** The sender has a line. */
  | { readonly kind: 'alive' }
  /** The sender, named `page`, lost its session. */
  | { readonly kind: 'need'; readonly page: string }
  /** The page `from` could help the page `page`. */
  | { readonly kind: 'offer'; readonly page: string; readonly from: string }
  | { readonly kind: 'accept'; readonly page: string; readonly from: string }
  /** A token for that page: good once, within its minute. */
  | { readonly kind: 'token'; readonly page: string; readonly token: string };

export interface RejoinDeps {
  readonly channel: Pick<BroadcastChannel, 'postMessage' | 'onmessage'>;
  readonly connection: Connection;
  /** Returns a token for another page; null if the host gives none. */
  readonly token: () => Promise<string | null>;
  /** Name of this page, which no other page has. */
  readonly page: string;
}

/**
 * Shares one new address after a restart of the host: the user opens one page with it, and the other pages of the browser get
 * sessions of their own.
 */
export function rejoinPages({ channel, connection, token, page }: RejoinDeps): void {
  const say = (said: Said) => channel.postMessage(said);
  let was = '';
  let accepted = false;
  let helped = false;

  function follow(): void {
    const { state } = connection.get();
    if (state === was) return;
    was = state;
    accepted = false;
    // The page that helped this one helps the others too. If each of them did, they would ask for more tokens than the host keeps.
    if (state === 'open' && !helped) say({ kind: 'alive' });
    helped = false;
    if (state === 'ended') say({ kind: 'need', page });
  }

  channel.onmessage = ({ data }: MessageEvent) => {
    const said = saidIn(data);
    if (said === null) return;
    const { state } = connection.get();
    if (said.kind === 'alive') {
      if (state === 'lost') connection.retry();
      if (state !== 'ended') return;
      // The page that it accepted may be gone.
      accepted = false;
      say({ kind: 'need', page });
    } else if (said.kind === 'need') {
      if (state === 'open') say({ kind: 'offer', page: said.page, from: page });
    } else if (said.kind === 'offer') {
      if (said.page !== page || state !== 'ended' || accepted) return;
      accepted = true;
      say({ kind: 'accept', page, from: said.from });
    } else if (said.kind === 'accept') {
      if (said.from !== page) return;
      startWork(
        token().then((made) => {
          if (made !== null) say({ kind: 'token', page: said.page, token: made });
        }),
      );
    } else if (said.page === page && accepted) {
      accepted = false;
      helped = true;
      // The reason of a failure is meant for a user who pasted an address; here there is none.
      startWork(connection.rejoin(said.token));
    }
  };
  connection.watch(follow);
  follow();
}

function saidIn(data: unknown): Said | null {
  if (typeof data !== 'object' || data === null || !('kind' in data)) return null;
  const text = (name: string) => typeof Reflect.get(data, name) === 'string';
  const needs: Readonly<Record<Said['kind'], readonly string[]>> = {
    alive: [],
    need: ['page'],
    offer: ['page', 'from'],
    accept: ['page', 'from'],
    token: ['page', 'token'],
  };
  const { kind } = data;
  if (typeof kind !== 'string' || !Object.hasOwn(needs, kind)) return null;
  return needs[kind as Said['kind']].every(text) ? (data as Said) : null;
}
