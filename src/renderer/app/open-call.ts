import { startWork } from '#renderer/faults/faults.ts';
import type { RequestStore } from '#renderer/features/request/tabs/request-store.ts';
import type { ShellStore } from './shell-store.ts';

/** The parts of the page that opening a call takes. */
interface CallScreens {
  readonly requests: RequestStore;
  readonly shell: ShellStore;
  readonly moveFocus: (selector: string, ...others: readonly string[]) => void;
}

/** Opens a call of the history in Requests, with the keyboard at its response. */
export function openCall({ requests, shell, moveFocus }: CallScreens, id: number): void {
  shell.getState().show('requests');
  startWork(
    (async () => {
      if ((await requests.getState().openCall(id)) !== null)
        moveFocus('[data-pane="response"] [role="tab"][aria-selected="true"]', '[data-pane="response"]');
    })(),
  );
}
