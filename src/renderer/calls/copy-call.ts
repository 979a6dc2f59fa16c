import { createStore, type StoreApi } from 'zustand/vanilla';
import { AppError } from '#shared/errors.ts';
import type { Client, ExportForm, ExportFormat } from '#shared/ipc/index.ts';
import { exportWhole } from '#shared/ipc/read-export.ts';
import { hashInputText, keyPlaceholder } from '#shared/signing/hash-input.ts';
import { asAppError } from '#renderer/faults/faults.ts';
import type { MenuItem } from '#renderer/ui/menu.tsx';
import type { Notify } from '#renderer/ui/notice.tsx';

/** The forms in which one call is copied, in the order of the menu. A program as sent has the old time and hash; signed again, those of now. */
const forms = {
  curl: { title: 'cURL', format: 'curl', form: 'as-sent' },
  php: { title: 'PHP, as sent', format: 'php', form: 'as-sent' },
  phpSigning: { title: 'PHP, re-signed', format: 'php', form: 'resigning' },
  node: { title: 'Node, as sent', format: 'node', form: 'as-sent' },
  nodeSigning: { title: 'Node, re-signed', format: 'node', form: 'resigning' },
  python: { title: 'Python, as sent', format: 'python', form: 'as-sent' },
  pythonSigning: { title: 'Python, re-signed', format: 'python', form: 'resigning' },
  har: { title: 'HAR', format: 'har', form: 'as-sent' },
  hashInput: { title: 'Hash input' },
  body: { title: 'Request body' },
} as const satisfies Readonly<
  Record<string, { readonly title: string; readonly format?: ExportFormat; readonly form?: ExportForm }>
>;
export type CopyForm = keyof typeof forms;

interface CallCopiesState {
  /** Session and replay tokens stay as they were sent; else they are masked. Hash input and body always have theirs. */
  readonly keepTokens: boolean;
  readonly target: 'clipboard' | 'file';
  readonly setKeepTokens: (keep: boolean) => void;
  readonly setTarget: (target: 'clipboard' | 'file') => void;
  /** Copies a call, or hands it over as a file, and says which and what of its tokens. `target`: that of the menu unless given. */
  readonly run: (callId: number, form: CopyForm, target?: 'clipboard' | 'file') => Promise<void>;
}

export type CallCopies = StoreApi<CallCopiesState>;

interface CallCopiesDeps {
  readonly notify: Notify;
  readonly copy: (text: string) => Promise<void>;
  readonly saveText: (name: string, text: string, mediaType?: string) => void;
}

/** Text in one of the forms, with the file that it would be. */
interface Written {
  readonly name: string;
  readonly mediaType: string;
  readonly text: string;
  /** Said of its tokens after it was copied. */
  readonly tokens: string;
}

/** Creates the copies of single calls. */
export function createCallCopies(client: Client, { notify, copy, saveText }: CallCopiesDeps): CallCopies {
  async function raw(callId: number, form: 'hashInput' | 'body'): Promise<Written> {
    const { request } = await client.call('calls.get', { id: callId });
    const { hashInput, bodyText } = request;
    if (form === 'hashInput' && hashInput === null)
      throw new AppError('unsupported', "This method isn't signed, so it has no hash input.");
    const text = form === 'body' || hashInput === null ? bodyText : hashInputText(hashInput);
    const tokens = form === 'body' ? 'As sent.' : `As hashed, with ${keyPlaceholder} in place of the key.`;
    return { name: `call-${callId}-${form === 'body' ? 'body.json' : 'hash-input.txt'}`, mediaType: 'text/plain', text, tokens };
  }

  async function exported(callId: number, format: ExportFormat, form: ExportForm, keepTokens: boolean): Promise<Written> {
    const { files, masked } = await exportWhole(client, { callIds: [callId], format, form, keepTokens });
    const [file] = files;
    if (file === undefined) throw new AppError('internal', 'The export has no file.');
    return { ...file, tokens: keepTokens || masked > 0 ? tokensText(keepTokens, masked) : '' };
  }

  return createStore<CallCopiesState>()((set, get) => ({
    keepTokens: false,
    target: 'clipboard',
    setKeepTokens: (keepTokens) => set({ keepTokens }),
    setTarget: (target) => set({ target }),
    async run(callId, name, target = get().target) {
      try {
        const written =
          name === 'hashInput' || name === 'body'
            ? await raw(callId, name)
            : await exported(callId, forms[name].format, forms[name].form, get().keepTokens);
        if (target === 'clipboard') await copy(written.text);
        else saveText(written.name, written.text, written.mediaType);
        const done = target === 'clipboard' ? `Copied call ${callId}: ${forms[name].title}.` : `Saved ${written.name}.`;
        notify({ tone: 'good', text: `${done} ${written.tokens}`.trim() });
      } catch (error) {
        notify({
          tone: 'bad',
          text: `Call ${callId} was not ${target === 'clipboard' ? 'copied' : 'saved'}. ${notCopiedText(error)}`,
        });
      }
    },
  }));
}

/** Says of an export what became of its session and replay tokens; `masked` is the number of places. */
export function tokensText(keepTokens: boolean, masked: number): string {
  if (keepTokens) return 'Tokens are included as sent.';
  if (masked === 0) return 'No tokens found.';
  return `Tokens are masked in ${masked.toLocaleString('en')} ${masked === 1 ? 'place' : 'places'}.`;
}

/** Says why something was not copied: the browser refused, or core did. */
export function notCopiedText(error: unknown): string {
  return error instanceof DOMException ? "The browser didn't allow it." : asAppError(error).message;
}

/** Returns the menu of the forms, the target and the treatment of tokens. `signed`: the call has a hash input. */
export function copyItems(
  { keepTokens, target, setKeepTokens, setTarget }: CallCopiesState,
  signed: boolean,
  run: (form: CopyForm) => void,
): readonly MenuItem[] {
  const entries = Object.entries(forms) as [CopyForm, (typeof forms)[CopyForm]][];
  return [
    ...entries.map(([id, form]): MenuItem => ({
      id,
      label: form.title,
      disabled: !signed && (id === 'hashInput' || ('form' in form && form.form === 'resigning')),
      onSelect: () => run(id),
    })),
    { heading: 'Copy to' },
    { id: 'clipboard', label: 'Clipboard', checked: target === 'clipboard', onSelect: () => setTarget('clipboard') },
    { id: 'file', label: 'File', checked: target === 'file', onSelect: () => setTarget('file') },
    { heading: 'Session and replay tokens' },
    { id: 'masked', label: 'Masked', checked: !keepTokens, onSelect: () => setKeepTokens(false) },
    { id: 'kept', label: 'As sent', checked: keepTokens, onSelect: () => setKeepTokens(true) },
  ];
}
