import { AppError } from '#shared/errors.ts';
import { looksLikeCurl, readCurl } from '../read/curl.ts';
import { copiedLayer, mayChangeData, straightenCommand } from '../read/chat-text.ts';
import { createLosses } from '../read/import-source.ts';
import { splitShell } from '../read/shell-words.ts';
import type { Work } from './work.ts';

/**
 * Reads the bodies that the curl commands of a text send, exactly as they would be sent; null if there is no such command, or it is not one for a shell.
 * `copied` names the layer that copying put around them, `problem` says why there is no body.
 */
export function readCommands(text: string, work: Work) {
  work.spend(4 * text.length);
  if (!looksLikeCurl(text)) return null;
  const shell = straightenCommand(text);
  const copied = { layer: copiedLayer(shell), fidelity: mayChangeData(shell) ? 'reencoded' : 'exact' } as const;
  try {
    const { requests } = readCurl(shell.text, 'the text', createLosses());
    const bodies = requests.flatMap(({ rawBody, address }) =>
      rawBody === null ? [] : [{ text: rawBody, url: address === '' ? null : address.replaceAll('{{$braces}}', '{{') }],
    );
    const problem = requests.find(({ unreadBody }) => unreadBody !== null)?.unreadBody ?? null;
    return {
      bodies,
      copied,
      problem: bodies.length > 0 || problem === null ? null : `The curl command was not read. ${problem}`,
    };
  } catch (error) {
    // Its output may have been pasted with it, with quotes of any kind.
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** Returns the words of a text that a shell quoted, as `printf %q` does; null if it is not such a text. */
export function readShellWords(text: string, work: Work): string | null {
  if (!/\\\{(?:\\n)?\\"|^\s{0,20}\$'|[\s=]\$'\{|'\\''|'"'"'/.test(text)) return null;
  work.spend(4 * text.length);
  try {
    const words = splitShell(text).flatMap((command) =>
      command.words.map(({ parts }) => parts.map((part) => ('text' in part ? part.text : '')).join('')),
    );
    return words.join('\n');
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
