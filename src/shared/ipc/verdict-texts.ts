import type { SandboxVerdict } from './outputs/sandbox.ts';

/** Returns the verdict with every text changed. Drops positions in a text that changed. */
export function withTexts(verdict: SandboxVerdict, change: (text: string) => string): SandboxVerdict {
  const { expected, received, difference } = verdict.verdict;
  const changed = mapTexts(verdict, change) as SandboxVerdict;
  const moved = [expected?.input?.data, received?.data].some((text) => typeof text === 'string' && change(text) !== text);
  return difference && moved ? { ...changed, verdict: { ...changed.verdict, difference: null } } : changed;
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member, change)]));
}
