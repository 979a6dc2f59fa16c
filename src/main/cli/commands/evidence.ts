import { readdir, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { FileState, Verified } from '#core/app/tools.ts';
import { counted } from '#shared/provider/findings.ts';
import type { Command, Context } from '../command.ts';
import { exits } from '../exit-codes.ts';
import { readInputFile } from '../read-input.ts';

export const evidenceVerifyCommand: Command = {
  spec: {
    name: 'evidence verify',
    summary: 'Check that evidence of a launch is as it was signed.',
    positionals: ['FILE'],
    options: {
      key: { value: 'KEY', help: 'The key that has to have signed it: its fingerprint, or a file that "evidence key" printed' },
      json: { help: 'Print one JSON document' },
    },
    notes: [
      'FILE is the folder of an evidence, a file in it, or evidence that is one HTML file.',
      'Ends with 1 if a file was changed, removed or added, if the list of the files is another one, or if the key is neither that of --key nor, without it, that of this home.',
      'It shows that nothing changed since the key signed it. Whose key it is, the tester has to tell you: compare the fingerprint.',
    ],
  },
  async run(args, context) {
    const { terminal } = context;
    const { fingerprintIn, readEvidenceKey, resolveHome } = await import('#core/app/tools.ts');
    const given = args.value('key');
    const wanted =
      given === undefined
        ? (readEvidenceKey(resolveHome(terminal.env))?.fingerprint ?? null)
        : fingerprintIn(
            given.startsWith('SHA256:') ? given : (await readInputFile('input.evidenceKey', given, context)).toString(),
          );
    const found = await verify(args.positionals[0] ?? '', context);
    const isOfKey = found.fingerprint !== null && found.fingerprint === wanted;
    const isGood = found.isListSigned && isOfKey && found.files.every(({ state }) => state === 'as signed');
    if (args.has('json')) await terminal.result(JSON.stringify({ verified: isGood, isOfKey, ...found }, null, 2));
    else for (const line of linesOf(found, wanted, given !== undefined)) await terminal.line(line);
    return isGood ? exits.done : exits.checksFailed;
  },
};

export const evidenceKeyCommand: Command = {
  spec: {
    name: 'evidence key',
    summary: 'Print the public key that signs the evidence of this home, and its fingerprint on standard error.',
    positionals: [],
    options: {},
    notes: ['Whoever gets evidence of yours needs it once: "croupier evidence verify FILE --key KEY".'],
  },
  async run(_, { terminal }) {
    const { openEvidenceKey, resolveHome } = await import('#core/app/tools.ts');
    const { publicKey, fingerprint } = await openEvidenceKey(resolveHome(terminal.env));
    terminal.note(fingerprint);
    await terminal.result(publicKey.trimEnd());
    return exits.done;
  },
};

/** Checks a page, or the folder that a path is or is in. */
async function verify(path: string, context: Context): Promise<Verified> {
  const { verifyFiles, verifyPage } = await import('#core/app/tools.ts');
  const found = await stat(path).catch(() => null);
  const folder = found?.isDirectory() === true ? path : dirname(path);
  const isInFolder = (await stat(join(folder, 'signature.json')).catch(() => null)) !== null;
  if (found?.isDirectory() !== true && !isInFolder) return verifyPage(await readInputFile('input.evidence', path, context));
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
  const files = paths.map(async (file) => {
    const name = relative(folder, file).replaceAll(sep, '/');
    return [name, await readInputFile('input.evidence', file, context)] as const;
  });
  return verifyFiles(await Promise.all(files));
}

const stateWords: Readonly<Record<FileState, string>> = {
  'as signed': 'as it was signed',
  changed: 'changed since it was signed',
  missing: 'missing',
  'not signed': 'not part of what was signed',
};

/** `wanted`: the fingerprint of the key that has to have signed; null if this home has none. */
function linesOf({ files, isListSigned, fingerprint }: Verified, wanted: string | null, isGiven: boolean): string[] {
  const wrong = files.filter(({ state }) => state !== 'as signed');
  const whose = isGiven ? 'the key that you gave' : 'the key of this home';
  return [
    ...files.map(({ path, state }) => `${path}: ${stateWords[state]}`),
    ...(isListSigned
      ? [
          wrong.length === 0
            ? `Nothing changed since it was signed: ${counted(files.length)} ${files.length === 1 ? 'file' : 'files'}.`
            : `${counted(wrong.length)} of ${counted(files.length)} files ${wrong.length === 1 ? 'is' : 'are'} not as signed.`,
        ]
      : ['The signature does not fit: the list of the files was changed, or the signature was.']),
    fingerprint === null
      ? 'It names no key that can be read.'
      : fingerprint === wanted
        ? `Signed with ${whose}, ${fingerprint}.`
        : isGiven
          ? `Signed with another key than the one that you gave: ${fingerprint}, not ${String(wanted)}.`
          : `Signed with a key that this home does not know: ${fingerprint}. If the tester tells you the same fingerprint, give it with --key.`,
  ];
}
