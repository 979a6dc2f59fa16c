import type { Call } from '../ipc/outputs/calls.ts';

/** The settings that were a call's own. */
export type Replaced = NonNullable<Call['instead']>;

/** Says of a call that settings of its environment were replaced; null for nearly every call. */
export function replacedText({
  url,
  environmentName,
  instead,
}: Pick<Call, 'url' | 'environmentName' | 'instead'>): string | null {
  if (instead === undefined) return null;
  const { baseUrl, timeoutMs } = instead;
  return [
    ...(baseUrl ? [`This call used ${url} instead of the URL of ${environmentName}.`] : []),
    ...(timeoutMs === null ? [] : [`The limit of ${timeoutMs.toLocaleString('en')} ms was set for this call only.`]),
  ].join(' ');
}
