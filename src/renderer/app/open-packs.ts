import { startWork } from '#renderer/faults/faults.ts';
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

/**
 * Asks the user for files, of types such as `.json`. Returns false if the browser would not ask now, because nobody has just pressed a key or
 * clicked.
 */
function chooseFiles(accept: string, take: (files: readonly File[]) => void): boolean {
  if (!navigator.userActivation.isActive) return false;
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.accept = accept;
  input.addEventListener('change', () => take([...(input.files ?? [])]));
  input.click();
  return true;
}
