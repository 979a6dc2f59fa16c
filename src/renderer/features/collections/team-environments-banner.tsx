import { useStore } from 'zustand';
import { Button } from '#renderer/ui/button.tsx';
import { classNames } from '#renderer/ui/class-names.ts';
import type { CollectionsStore } from './collections-store.ts';
import type { TeamEnvironments } from './team-environments.ts';
import styles from './collections-part.module.css';

/** Names the environments of open collections about which a person has to be asked. */
export function TeamEnvironmentsBanners({ store }: { readonly store: CollectionsStore }) {
  const { list, teamEnvironments, askTeam } = useStore(store);
  if (list.state !== 'ready') return null;
  return list.collections.map(({ collection: { id, name } }) => {
    const words = bannerWords(name, teamEnvironments[id]);
    return words === null ? null : (
      <section
        key={id}
        className={classNames('band on-warn', !words.warns && styles.plain)}
        role="status"
        aria-label={`Environments of ${name}`}
      >
        {words.lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
        <Button variant="quiet" onClick={() => askTeam(id)}>
          Review environments
        </Button>
      </section>
    );
  });
}

/** Returns what a collection's banner says; null if there is nothing to ask. */
function bannerWords(
  collection: string,
  found: TeamEnvironments | undefined,
): { readonly lines: readonly string[]; readonly warns: boolean } | null {
  if (found === undefined) return null;
  if (found.state === 'failed') return { lines: [`The environments of ${collection}: ${found.message}`], warns: true };
  const named = (state: string) => found.environments.filter((one) => one.state === state).map(({ name }) => name);
  const [fresh, asks] = [named('new'), named('asks')];
  const unread = found.environments.flatMap(({ problem }) => (problem === null ? [] : [problem.message]));
  const lines = [
    ...asks.map(
      (name) => `${name} changed in ${collection}: URLs, certificate authority or production mark. Yours is unchanged.`,
    ),
    ...unread,
    ...(fresh.length === 0 ? [] : [`${collection} has environments you don't use yet: ${fresh.join(', ')}.`]),
  ];
  return lines.length === 0 ? null : { lines, warns: asks.length + unread.length > 0 };
}
