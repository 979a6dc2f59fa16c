import { isSingleKey, letterOf } from '#shared/chords.ts';
import type { Client } from '#shared/ipc/index.ts';
import { isComposed, pressOf } from '#renderer/ui/composition.ts';
import { commandFor, runCommand, unmetFor, type Command } from './commands.ts';

/** `rowKeys`: whether a key alone acts on the row that has the focus. `refuse` tells why the command of a chord cannot run. */
interface KeyRules {
  readonly apple: boolean;
  readonly rowKeys: () => boolean;
  readonly refuse: (text: string) => void;
}

/** Returns whether a key acts by itself on a row of the page. What opens over the page, such as a menu, keeps its letters. */
function isRowKey(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || (event.target as Element).closest('#root') === null) return false;
  return isSingleKey(letterOf(pressOf(event), false) ?? event.key);
}

/**
 * Runs commands by the keys that they have now. Listens before anything in the page does, so that the editor cannot keep a chord for itself; Escape
 * alone comes last, because menus, suggestions and dialogs close by it. Returns the function that stops.
 */
export function listenToKeys(page: Window, commands: () => readonly Command[], { apple, rowKeys, refuse }: KeyRules): () => void {
  function run(event: KeyboardEvent): void {
    const { target } = event;
    if (isComposed(event) || event.defaultPrevented || takesKeys(target)) return;
    const state = { apple, dialogOpen: hasDialog(page.document), inText: takesText(target) };
    if (!state.inText && !rowKeys() && isRowKey(event) && !(target as Element).matches('select')) {
      event.stopImmediatePropagation();
      return;
    }
    const command = commandFor(commands(), pressOf(event), state);
    if (command === null) {
      const unmet = event.repeat ? null : unmetFor(commands(), pressOf(event), state);
      if (unmet !== null) refuse(`"${unmet.title.replace(/…$/, '')}" needs ${unmet.when.needs}.`);
      return;
    }
    // The browser pastes after it.
    if (command.pastes !== true) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
    if (!event.repeat) command.run();
  }
  const early = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') run(event);
  };
  const late = (event: KeyboardEvent) => {
    if (event.key === 'Escape') run(event);
  };
  page.addEventListener('keydown', early, { capture: true });
  page.addEventListener('keydown', late);
  return () => {
    page.removeEventListener('keydown', early, { capture: true });
    page.removeEventListener('keydown', late);
  };
}

/** Hands over what is pasted outside of text fields, editors and dialogs. Returns the function that stops. */
export function listenToPastes(page: Window, take: (text: string) => boolean): () => void {
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (event.defaultPrevented || text === '' || takesText(event.target) || hasDialog(page.document)) return;
    if (take(text)) event.preventDefault();
  };
  page.addEventListener('paste', onPaste);
  return () => page.removeEventListener('paste', onPaste);
}

/** Returns whether keys pressed there are chosen for a command. */
function takesKeys(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-takes-keys]') !== null;
}

/** Returns whether keys pressed there write a text. */
function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement)
    return !target.readOnly && !['button', 'checkbox', 'file', 'radio', 'range'].includes(target.type);
  // An editor that is read-only says so here.
  if (target.getAttribute('aria-autocomplete') === 'none') return false;
  return target instanceof HTMLTextAreaElement || target.isContentEditable || target.closest('.monaco-editor') !== null;
}

/** Runs the command chosen in the desktop's menu. Returns the function that stops. */
export function listenToMenu(client: Pick<Client, 'on'>, commands: readonly Command[], page: Document): () => void {
  return client.on('app.commandChosen', ({ id }) => runCommand(commands, id, { dialogOpen: hasDialog(page) }));
}

function hasDialog(page: Document): boolean {
  return page.querySelector('[data-modal]') !== null;
}

/** Moves the focus to the address of the request, once it is drawn. */
export function goToAddress(page: Window): void {
  page.requestAnimationFrame(() =>
    page.requestAnimationFrame(() => page.document.querySelector<HTMLElement>('[data-address]')?.focus()),
  );
}

/**
 * Moves the focus to the next region marked `data-pane`, around the ends: to the element that had it there, else to the first that
 * takes it.
 */
export function movePane(page: Document, step: 1 | -1): void {
  const panes = [...page.querySelectorAll<HTMLElement>('[data-pane]')].filter((pane) => pane.offsetParent !== null);
  if (panes.length === 0) return;
  const innermost = page.activeElement?.closest<HTMLElement>('[data-pane]') ?? null;
  const at = innermost === null ? (step === 1 ? -1 : 0) : panes.indexOf(innermost);
  const target = panes[(at + step + panes.length) % panes.length];
  if (target === undefined) return;
  // An element that is not drawn at this width cannot take the focus, and the keyboard would stay.
  const inside = [...target.querySelectorAll<HTMLElement>(focusable)].find((element) => element.checkVisibility());
  for (const pane of panes) pane.toggleAttribute('data-marked', pane === target);
  setTimeout(() => target.removeAttribute('data-marked'), markedMs);
  if (inside !== undefined) return inside.focus();
  target.tabIndex = -1;
  target.focus();
}

/** Milliseconds for which a pane is marked as a whole. */
const markedMs = 1_000;

const focusable = [
  '[aria-current="true"]',
  'button:not(:disabled):not([tabindex="-1"])',
  'input:not(:disabled)',
  'textarea:not(:disabled)',
  'select:not(:disabled)',
  '[tabindex="0"]',
].join(',');
