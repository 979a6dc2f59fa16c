import type { ExportForm, ExportFormat } from '#shared/ipc/index.ts';
import { exportFormats } from '#shared/model/formats.ts';
import type { MenuItem } from '#renderer/ui/menu.tsx';

const programs = exportFormats.filter(({ program }) => program);
const records = exportFormats.filter(({ program }) => !program);

/** Returns the export menu: records, programs in both forms, and the treatment of tokens. */
export function exportItems(
  keepTokens: boolean,
  setKeepTokens: (keep: boolean) => void,
  run: (format: ExportFormat, form: ExportForm) => void,
): readonly MenuItem[] {
  const entry = ({ name, title }: (typeof exportFormats)[number], form: ExportForm, more = ''): MenuItem => ({
    kind: 'action',
    id: `${name} ${form}`,
    label: `${title}${more}`,
    onSelect: () => run(name, form),
  });
  return [
    { kind: 'heading', id: 'records', label: 'Records' },
    ...records.map((record) => entry(record, 'as-sent')),
    { kind: 'heading', id: 'programs', label: 'Programs' },
    ...programs.map((program) => entry(program, 'as-sent', ', as sent')),
    ...programs.map((program) => entry(program, 'resigning', ', re-signing')),
    { kind: 'heading', id: 'tokens', label: 'Session and replay tokens' },
    { kind: 'choice', id: 'masked', label: 'Masked', checked: !keepTokens, onSelect: () => setKeepTokens(false) },
    { kind: 'choice', id: 'kept', label: 'As they were sent', checked: keepTokens, onSelect: () => setKeepTokens(true) },
  ];
}
