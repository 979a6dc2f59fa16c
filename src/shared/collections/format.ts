import { withoutSchemaLine } from './file-names.ts';

/** The format of a collection's files that this version writes; `collection.yaml` carries it. A file without one has the first. */
export const collectionFormat = 1;
/** The field of `collection.yaml` that holds the format. */
export const formatField = 'format';

/** Says why a collection of a newer format is neither saved nor run, and what to do. */
export function newerFormatText(format: number): string {
  return (
    `This collection has format ${format}, and this version of Croupier knows format ${collectionFormat}: a newer version wrote it. ` +
    'You can read it here. To save or run it, install a newer version of Croupier.'
  );
}

/** The settings of a new collection: nothing but the format. */
export const newSettings = `${formatField}: ${collectionFormat}\n`;

/** Returns whether settings, as text, hold nothing but the format. */
export function saysNothing(settings: string): boolean {
  return ['', newSettings.trim()].includes(withoutSchemaLine(settings).trim());
}
