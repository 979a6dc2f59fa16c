import { useEffect } from 'react';
import { X } from 'lucide-react';
import type { CatalogueComparison } from '#shared/ipc/index.ts';
import { classNames } from '#renderer/ui/class-names.ts';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { shown, type ComparisonRow } from './comparison-rows.ts';
import type { ThumbnailLoader } from './thumbnail-loader.ts';
import { Thumbnail } from './thumbnail.tsx';
import details from './game-details.module.css';
import styles from './comparison-details.module.css';

/** Every change of one game, before and after. */
export function ComparisonDetails({
  row,
  comparison,
  loader,
  onClose,
}: {
  row: ComparisonRow;
  comparison: CatalogueComparison;
  loader: ThumbnailLoader;
  onClose: () => void;
}) {
  const { change, game } = row;
  const { environmentId } = comparison.to;
  const pictures = game !== null ? [game.thumbnail] : [change?.thumbnail?.from ?? '', change?.thumbnail?.to ?? ''];
  const urls = pictures.join('\n');
  useEffect(() => {
    loader.want('comparison', environmentId, urls.split('\n'));
    return () => loader.want('comparison', '', []);
  }, [loader, environmentId, urls]);
  const bets = change?.bets ?? null;
  return (
    <aside className={details.details} aria-label="Change" data-pane="change">
      <header className={details.head}>
        <h3>{row.name === '' ? 'No name' : row.name}</h3>
        <code>{row.id}</code>
        <CopyButton small label="Copy the ID" text={row.id} />
        <IconButton small label="Close the details" icon={<X />} onClick={onClose} />
      </header>
      <div className={styles.scroll}>
        {game === null ? null : (
          <>
            <div className={details.picture}>
              <Thumbnail loader={loader} environmentId={environmentId} url={game.thumbnail} large />
            </div>
            <dl className="pairs">
              <dt>status</dt>
              <dd className="code">{game.status ?? 'none'}</dd>
              <dt>bets</dt>
              <dd className="code">{game.bets.length === 0 ? 'none' : game.bets.join(', ')}</dd>
            </dl>
          </>
        )}
        {change === null || change.renamed === null ? null : (
          <Pair title="Name" from={change.renamed.from} to={change.renamed.to} />
        )}
        {change === null || change.status === null ? null : (
          <Pair title="Status" from={change.status.from} to={change.status.to} />
        )}
        {bets === null ? null : (
          <table className={styles.bets}>
            <caption>Bets by betLevel</caption>
            <thead>
              <tr>
                <th scope="col">betLevel</th>
                <th scope="col">before</th>
                <th scope="col">after</th>
              </tr>
            </thead>
            <tbody>
              {Array.from({ length: Math.max(bets.from.length, bets.to.length) }, (_, level) => {
                const differs = bets.levels.includes(level);
                return (
                  <tr key={level} className={differs ? 'on-warn' : undefined}>
                    <th scope="row">{level}</th>
                    <td>{bets.from[level] ?? 'none'}</td>
                    <td>
                      {bets.to[level] ?? 'none'}
                      {differs ? <span className="visually-hidden">, changed</span> : null}
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        )}
        {change === null || change.thumbnail === null ? null : (
          <>
            <Pair title="Thumbnail" from={change.thumbnail.from} to={change.thumbnail.to} />
            <div className="halves">
              {[change.thumbnail.from, change.thumbnail.to].map((url, at) => (
                <figure key={at}>
                  <div className={classNames(details.picture, styles.half)}>
                    <Thumbnail loader={loader} environmentId={environmentId} url={url ?? ''} large />
                  </div>
                  <figcaption className="quiet tiny">{at === 0 ? 'before' : 'after'}</figcaption>
                </figure>
              ))}
            </div>
          </>
        )}
      </div>
    </aside>
  );
}

function Pair({ title, from, to }: { title: string; from: string | null; to: string | null }) {
  return (
    <section className="stack-tight">
      <h4>{title}</h4>
      <del className={classNames('on-bad', styles.side)}>{shown(from)}</del>
      <ins className={classNames('on-good', styles.side)}>{shown(to)}</ins>
    </section>
  );
}
