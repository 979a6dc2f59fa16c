import 'monaco-editor/features/register.all';
import 'monaco-editor/languages/features/json/register';
import { editor } from 'monaco-editor/editor';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
import JsonWorker from 'monaco-editor/languages/features/json/json.worker?worker';

// The baseline: Monaco with its JSON language and nothing else of ours, with the one option that a 5 MB text needs.
Object.assign(globalThis, {
  MonacoEnvironment: { getWorker: (_: string, label: string) => (label === 'json' ? new JsonWorker() : new EditorWorker()) },
});
const bare = editor.create(document.getElementById('editor')!, {
  value: '{\n  "action": "getLauncherURL",\n  "platform": 1\n}',
  language: 'json',
  automaticLayout: true,
  minimap: { enabled: false },
  stickyScroll: { enabled: false },
});
Object.assign(globalThis, { bare });
