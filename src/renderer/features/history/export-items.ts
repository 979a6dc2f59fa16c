import type { ExportForm, ExportFormat } from '#shared/ipc/index.ts';
import type { MenuItem } from '#renderer/ui/menu.tsx';

const programs: readonly { format: ExportFormat; label: string }[] = [
  { format: 'curl', label: 'cURL' },
  { format: 'php', label: 'PHP' },
  { format: 'node', label: 'Node' },
  { format: 'python', label: 'Python' },
];

const records: readonly { format: ExportFormat; label: string }[] = [
  { format: 'har', label: 'HAR 1.2' },
  { format: 'jsonl', label: 'JSON lines' },
  { format: 'support', label: 'Support pack for the provider' },
];

/** The export menu: records, programs in both forms, and what becomes of tokens. */
export function exportItems(
  keepTokens: boolean,
  setKeepTokens: (keep: boolean) => void,
  run: (format: ExportFormat, form: ExportForm) => void,
): readonly MenuItem[] {
  const entry = ({ format, label }: (typeof programs)[number], form: ExportForm, more = ''): MenuItem => ({
    kind: 'action',
    id: `${format} ${form}`,
    label: `${label}${more}`,
    onSelect: () => run(format, form),
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
