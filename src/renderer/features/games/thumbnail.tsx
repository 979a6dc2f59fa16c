import { useCallback, useDeferredValue, useMemo, useState, useSyncExternalStore } from 'react';
import { Image, ImageOff } from 'lucide-react';
import { classNames } from '#renderer/ui/class-names.ts';
import type { Picture, ThumbnailLoader } from './thumbnail-loader.ts';
import styles from './thumbnail.module.css';

/** A game's picture in any state. It loads once the part around it has reported that it is in sight. */
export function Thumbnail({
  loader,
  environmentId,
  url,
  large = false,
  calm = true,
}: {
  loader: ThumbnailLoader;
  environmentId: string;
  url: string;
  /** True if there is room to say in words what is wrong. */
  large?: boolean;
  /** False if there is no time to draw it now. */
  calm?: boolean;
}) {
  const watch = useCallback((listener: () => void) => loader.watch(environmentId, url, listener), [loader, environmentId, url]);
  const now = useSyncExternalStore(watch, () => loader.get(environmentId, url));
  // Drawn when there is time: a row of pictures that comes into sight in one piece would cost the frame that brings it.
  const drawn = useDeferredValue(
    useMemo(() => ({ url, picture: now }), [url, now]),
    noPicture,
  );
  const picture = calm && drawn.url === url ? drawn.picture : waiting;
  const [undrawable, setUndrawable] = useState<string | null>(null);
  const className = classNames(styles.frame, large && styles.large);
  if (url === '') return <Missing className={className} words={large ? 'No thumbnail' : null} title="No thumbnail" />;
  if (picture.state === 'waiting') return <span className={classNames(className, styles.waiting)} />;
  if (picture.state === 'failed') {
    return (
      <Missing
        broken
        className={className}
        words={large ? picture.problem : null}
        title={picture.problem}
        retry={large ? () => loader.retry(environmentId, url) : undefined}
      />
    );
  }
  if (undrawable === picture.address) {
    return <Missing broken className={className} words={large ? notDrawn : null} title={notDrawn} />;
  }
  return (
    <span className={className}>
      <img src={picture.address} alt="" decoding="async" draggable={false} onError={() => setUndrawable(picture.address)} />
    </span>
  );
}

const waiting: Picture = { state: 'waiting' };
const noPicture: { readonly url: string | null; readonly picture: Picture } = { url: null, picture: waiting };
const notDrawn = "The picture can't be displayed.";

function Missing({
  className,
  words,
  title,
  broken = false,
  retry,
}: {
  className: string;
  words: string | null;
  title: string;
  broken?: boolean;
  retry?: (() => void) | undefined;
}) {
  return (
    <span className={classNames(className, broken && styles.broken)} title={title}>
      {broken ? <ImageOff /> : <Image />}
      {words === null ? <span className="visually-hidden">{title}</span> : <span className={styles.words}>{words}</span>}
      {retry === undefined ? null : (
        <button type="button" className="link tiny" onClick={retry}>
          Try again
        </button>
      )}
    </span>
  );
}
