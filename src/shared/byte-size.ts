import { amount } from './amount.ts';

/** Writes a size as `999 B`, `1.5 kB`, `12.5 MB` or `10.2 GB`, in steps of 1,000. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 999_950) return `${(bytes / 1_000).toFixed(1)} kB`;
  if (bytes < 9_999_500_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

/** Writes `1.5 kB in 2 files`. */
export function filesText(bytes: number, files: number): string {
  return `${sizeText(bytes)} in ${amount(files, 'file')}`;
}
