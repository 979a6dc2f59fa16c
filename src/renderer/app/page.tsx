import { StrictMode, type ReactNode } from 'react';
import { isApplePlatform } from '#renderer/ui/key-label.ts';
import { TooltipProvider } from '#renderer/ui/tooltip.tsx';
import { createBehaviours } from './actions.ts';
import { createAssistStore } from './assist-store.ts';
import { createCommands, withShortcuts } from './commands.ts';
import { pasteIntoDoctor } from './doctor-area.tsx';
import { goToAddress, listenToKeys, listenToMenu, listenToPastes, movePane } from './keyboard.ts';
import { Shell } from './shell.tsx';
import { followTheme } from './theme.ts';
import { followUpdates } from './updates.tsx';
import type { Workbench } from './workbench.ts';

/** Draws the workbench, and joins it to the window's keys, pastes and theme and to the desktop's menu. Returns the function that parts them. */
export function drawPage(page: Window, workbench: Workbench, draw: (content: ReactNode) => void): () => void {
  const { document } = page;
  const apple = isApplePlatform(page.navigator.platform);
  const assist = createAssistStore(document, apple);
  const actions = { movePane: (step: 1 | -1) => movePane(document, step), goToAddress: () => goToAddress(page) };
  const commands = createCommands(createBehaviours(workbench, actions, assist));
  let current = commands;
  const stops = [
    followTheme(page, {
      get: () => workbench.shell.getState(),
      watch: (listener) => workbench.shell.subscribe(listener),
    }),
    workbench.shortcuts.subscribe(({ changed }) => (current = withShortcuts(commands, changed))),
    listenToKeys(page, () => current, {
      apple,
      rowKeys: () => workbench.shell.getState().rowKeys === 'on',
      refuse: (text) => workbench.shell.getState().notify({ id: 'refused', tone: 'note', text }),
    }),
    listenToPastes(page, (text) => pasteIntoDoctor(workbench, text)),
    listenToMenu(workbench.client, commands, document),
    followUpdates(workbench),
  ];
  draw(
    <StrictMode>
      <TooltipProvider>
        <Shell workbench={workbench} commands={commands} assist={assist} />
      </TooltipProvider>
    </StrictMode>,
  );
  return () => stops.forEach((stop) => stop());
}
