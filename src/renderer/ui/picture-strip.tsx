import { RadioGroup } from 'radix-ui';
import styles from './picture-strip.module.css';

/** Small pictures beside each other, one of which is chosen; the arrow keys go through them. */
export function PictureStrip({
  label,
  pictures,
  chosen,
  onChoose,
}: {
  label: string;
  /** `url` is null until the picture has come. */
  pictures: readonly { readonly id: number; readonly label: string; readonly caption: string; readonly url: string | null }[];
  chosen: number;
  onChoose: (id: number) => void;
}) {
  return (
    <RadioGroup.Root
      className={styles.strip}
      aria-label={label}
      orientation="horizontal"
      value={String(chosen)}
      onValueChange={(next) => onChoose(Number(next))}
    >
      {pictures.map(({ id, label: name, caption, url }) => (
        <RadioGroup.Item key={id} value={String(id)} className={styles.small ?? ''} aria-label={name}>
          <span className={styles.thumb}>{url === null ? null : <img src={url} alt="" />}</span>
          <small>{caption}</small>
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  );
}
