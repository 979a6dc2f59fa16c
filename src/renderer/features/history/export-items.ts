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
    label: `${title}${more}`,
    onSelect: () => run(name, form),
  });
  return [
    { heading: 'Records' },
    ...records.map((record) => entry(record, 'as-sent')),
    { heading: 'Programs' },
    ...programs.map((program) => entry(program, 'as-sent', ', as sent')),
    ...programs.map((program) => entry(program, 'resigning', ', re-signing')),
    { heading: 'Session and replay tokens' },
    { id: 'masked', label: 'Masked', checked: !keepTokens, onSelect: () => setKeepTokens(false) },
    { id: 'kept', label: 'As they were sent', checked: keepTokens, onSelect: () => setKeepTokens(true) },
  ];
}
