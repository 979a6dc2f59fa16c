import type { SetAside } from '../ipc/outputs/history.ts';

/** Describes a history that was set aside: why, where it is, and how many of its calls could be read. */
export function setAsideText({ path, reason, gone, recovered }: SetAside): string {
  const begin = `An earlier history ${reason} and was set aside as ${path}${gone ? ', since removed' : ''}.`;
  if (recovered === null) return begin;
  if (recovered.calls === 0) return `${begin} Croupier could read none of its calls.`;
  const count = (number: number) => number.toLocaleString('en');
  const of = recovered.about === null || recovered.about <= recovered.calls ? '' : ` of about ${count(recovered.about)}`;
  const calls = `${count(recovered.calls)}${of} ${recovered.calls === 1 && of === '' ? 'call' : 'calls'}`;
  const one = recovered.calls === 1;
  const partial = recovered.partial === 0 ? '' : one ? ', only in part' : `, ${count(recovered.partial)} of them only in part`;
  const where = one ? `It is in ${recovered.path}.` : `They are in ${recovered.path}, one per line.`;
  return `${begin} Croupier could read ${calls}${partial}. ${where}`;
}
