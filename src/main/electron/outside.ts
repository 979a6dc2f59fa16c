import { BrowserWindow, dialog, shell } from 'electron';
import type { OpenedOutside } from '#shared/ipc/index.ts';
import { decideOpenOutside } from './open-outside.ts';

/** Opens a URL in the system's browser, after a check, and a confirmation that shows its full host. */
export async function openOutside(address: string): Promise<OpenedOutside> {
  const decision = decideOpenOutside(address);
  if (!decision.allowed) return { opened: false, message: decision.reason };
  const question = {
    type: 'question' as const,
    message: `Open ${decision.host} in your browser?`,
    detail: decision.url,
    buttons: ['Open', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  };
  const [window] = BrowserWindow.getAllWindows();
  const { response } = await (window === undefined ? dialog.showMessageBox(question) : dialog.showMessageBox(window, question));
  if (response !== 0) return { opened: false, message: null };
  try {
    await shell.openExternal(decision.url);
    return { opened: true, message: null };
  } catch {
    return { opened: false, message: 'The system did not open the address. Copy it into your browser.' };
  }
}
