import { createStore, type StoreApi } from 'zustand/vanilla';
import { plainTextAt, type PlainText } from '#renderer/editor/plain-texts.ts';
import { explainElement, type Explained } from './focus-explained.ts';

/** Number of characters that the plain field shows: more would make it slow to open and to read. */
const MOST = 200_000;

interface AssistState {
  /** The text, or the words and keys, of the element that had the focus; null while no dialog is open. */
  readonly shown:
    | (PlainText & { readonly kind: 'text'; readonly note: string | null })
    | (Explained & { readonly kind: 'keys' })
    | null;
  /** Explains what has the focus. */
  readonly explain: () => void;
  /** Opens the text of what has the focus, or of its pane. Returns false if there is none. */
  readonly openText: () => boolean;
  readonly close: () => void;
}

export type AssistStore = StoreApi<AssistState>;

/** Creates the store; it follows the focus of the page, because the palette that runs a command takes it. */
export function createAssistStore(page: Document, apple: boolean): AssistStore {
  let last: Element | null = null;
  page.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element && target.closest('[cmdk-root]') === null) last = target;
  });
  const focused = () => (last?.isConnected === true ? last : page.body);
  return createStore<AssistState>()((set, get) => ({
    shown: null,
    explain() {
      // Pressed again, it would explain the dialog's own button.
      if (get().shown === null) set({ shown: { kind: 'keys', ...explainElement(focused(), apple) } });
    },
    openText() {
      const found = plainTextAt(focused());
      if (found !== null) set({ shown: { kind: 'text', ...cutText(found) } });
      return found !== null;
    },
    close: () => set({ shown: null }),
  }));
}

/** Returns what the plain field shows of a text, with the sentence that says so if it is not all. */
function cutText({ title, text }: PlainText): PlainText & { readonly note: string | null } {
  if (text.length <= MOST) return { title, text, note: null };
  const note = `The first ${MOST.toLocaleString('en')} of ${text.length.toLocaleString('en')} characters. Copy or save it where it is shown to get more.`;
  return { title, text: text.slice(0, MOST), note };
}
