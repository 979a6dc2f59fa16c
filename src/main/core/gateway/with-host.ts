import { Buffer } from 'node:buffer';

/**
 * Returns a head with `host` in place of another name of the far side, and which name that was; null if it was this one. Nothing else
 * of its bytes changes: order, case and spaces of the headers stay.
 */
export function withHost(head: Buffer, host: string): { readonly head: Buffer; readonly before: string | null } {
  let before: string | null = null;
  const text = head
    .toString('latin1')
    .replace(/^(host[ \t]*:[ \t]*)([^\r\n]*?)([ \t]*)$/gim, (line, name: string, value: string, rest: string) => {
      if (value.toLowerCase() === host.toLowerCase()) return line;
      before ??= value;
      return `${name}${host}${rest}`;
    });
  return before === null ? { head, before } : { head: Buffer.from(text, 'latin1'), before };
}
