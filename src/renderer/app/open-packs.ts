import { startWork } from '#renderer/faults/faults.ts';
import { chooseFiles } from '#renderer/ui/choose-files.ts';
import type { Workbench } from './workbench.ts';

/**
 * Asks for the files of support packs and opens them. A browser asks only soon after a key or a click in the page: after the desktop's menu the
 * keyboard is at the button that asks.
 */
export function choosePack({ packs, shell, moveFocus }: Workbench): void {
  if (chooseFiles('.json,.html', (files) => startWork(packs.getState().open(files)))) return;
  shell.getState().show('history');
  moveFocus('[data-open-pack]');
}
