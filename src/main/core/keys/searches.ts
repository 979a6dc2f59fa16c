import type { KeySearch, SearchedKey } from '#core/host/host.ts';
import type { Subject } from '#shared/doctor/model.ts';
import type { SearchNews } from '#shared/doctor/turn.ts';
import type { AgentLink } from './agent-link.ts';
import type { SealedName } from './agent-messages.ts';
import { keyError, missingMessage } from './key-faults.ts';
import type { SealedKey } from './sealed-key.ts';

interface SearchesDeps {
  /** Returns the holder's key of an account, sealed to another agent; null if it has none. */
  readonly handOver: (account: string, sealTo: Uint8Array) => Promise<SealedKey | null>;
  /** Opens a line to an agent that does nothing but one search. */
  readonly open: () => AgentLink;
  /** Returns whether the holder has the account's key. */
  readonly isOpen: (account: string, version: string) => boolean;
}

/** Searches for the mistake in a hash, each by an agent of its own. */
export function createSearches({ handOver: giveOut, open, isOpen }: SearchesDeps) {
  const lines = new Set<AgentLink>();

  function end(line: AgentLink): Promise<void> {
    lines.delete(line);
    return line.close();
  }

  async function handOver(line: AgentLink, { account, name }: SearchedKey): Promise<SealedName[]> {
    const sealTo = (await line.ask({ op: 'opener' })) as Uint8Array;
    const key = await giveOut(account, sealTo);
    return key === null ? [] : [{ name, key }];
  }

  return {
    /** `bring` brings a key to the holder, and fails if there is none. */
    async begin(
      [own, ...others]: readonly [SearchedKey, ...SearchedKey[]],
      subject: Subject,
      bring: (account: string, version: string) => Promise<void>,
    ): Promise<KeySearch> {
      await bring(own.account, own.version);
      const line = open();
      lines.add(line);
      try {
        const opened = others.filter(({ account, version }) => isOpen(account, version));
        const keys: SealedName[] = [];
        for (const key of [own, ...opened]) keys.push(...(await handOver(line, key)));
        // Gone since, with the process that held it.
        if (keys[0]?.name !== own.name) throw keyError('missing', missingMessage);
        await line.ask({ op: 'search', keys, subject });
        return {
          keys: keys.length,
          async next() {
            const news = (await line.ask({ op: 'searchOn' })) as SearchNews;
            if (news.ended) void end(line);
            return news;
          },
          end: () => void end(line),
        };
      } catch (error) {
        await end(line);
        throw error;
      }
    },
    async close(): Promise<void> {
      await Promise.all([...lines].map(end));
    },
  };
}
