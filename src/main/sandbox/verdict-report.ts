import type { SandboxVerdict } from '#shared/ipc/index.ts';
import { withTexts } from '#shared/ipc/verdict-texts.ts';
import type { Judgement } from './codes.ts';

/**
 * Reports a verdict to the host and returns it as reported. Never passes the private key on, even if a request carries it
 * in clear.
 */
export function createReporter(privateKey: string, onVerdict: (verdict: SandboxVerdict) => void, now: () => number) {
  // A very short key occurs in any text by chance.
  const hidden = privateKey.length >= 6 ? privateKey : null;
  return (
    path: string,
    { action, verdict }: Judgement,
    bodyText: string,
    headers: [string, string][] | null,
  ): SandboxVerdict['verdict'] => {
    const told = { time: new Date(now()).toISOString(), path, action, verdict: { ...verdict }, bodyText, headers };
    const leaked = hidden !== null && [path, bodyText, ...(headers ?? []).flat()].some((text) => text.includes(hidden));
    if (!leaked) {
      onVerdict(told);
      return told.verdict;
    }
    const clean = withTexts(told, (text) => text.replaceAll(hidden, '<PRIVATE_KEY>'));
    const warned = (text: string) => `${text} The request carries the private key, which must never be sent.`.trim();
    const cleaned = { ...clean.verdict, why: warned(clean.verdict.why), reason: warned(clean.verdict.reason) };
    onVerdict({ ...clean, verdict: cleaned });
    return cleaned;
  };
}
