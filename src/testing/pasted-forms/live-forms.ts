import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { requireTool } from '../external-tools.ts';

/** Programs that show one text in their own forms: who runs the script beside this file, and the script. */
const scripts = {
  php: ['php', 'forms.php'],
  python3: ['python3', 'forms.py'],
  node: ['node', 'forms.mjs'],
  perl: ['perl', 'forms.pl'],
  bash: ['bash', 'forms.sh'],
  jq: ['bash', 'forms-of-jq.sh'],
} as const;

export type FormTool = keyof typeof scripts;

/** Has a program show a text in all its forms, in one process. Returns the shown texts by the names of the forms; throws if it failed. */
export function showForms(tool: FormTool, body: string): ReadonlyMap<string, string> {
  const [runner, script] = scripts[tool];
  const path = runner === 'node' ? process.execPath : requireTool(runner);
  const file = fileURLToPath(new URL(script, import.meta.url));
  const { status, stdout, stderr, error } = spawnSync(path, [file], { input: body, encoding: 'utf8' });
  if (error !== undefined) throw error;
  if (status !== 0 || stderr !== '') throw new Error(`${tool} ended with ${status}: ${stderr}`);
  const lines = stdout.trimEnd().split('\n');
  return new Map(
    lines.map((line) => {
      const [name = '', base64 = ''] = line.split('\t');
      return [name, Buffer.from(base64, 'base64').toString('utf8')];
    }),
  );
}
