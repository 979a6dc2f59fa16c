import { readdir, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { FileState, Verified } from '#core/app/tools.ts';
import { counted } from '#shared/provider/findings.ts';
import { exits, type Command, type Context } from '../command.ts';
import { readInputFile } from '../read-input.ts';

export const evidenceVerifyCommand: Command = {
  spec: {
    name: 'evidence verify',
    summary: "Check that a launch's evidence is unchanged since it was signed.",
    positionals: ['FILE'],
    options: {
      key: { value: 'KEY', help: 'Expect this signing key: a fingerprint, or a file from "evidence key"' },
      json: { help: 'Print one JSON document' },
    },
    notes: [
      'FILE is an evidence folder, a file in it, or evidence in one HTML file.',
      "Exits with 1 if a file was changed, added or removed, if the file list was changed, or if the signing key isn't the one in --key (default: this home's).",
      'This proves that nothing changed since signing, not whose key it is. Ask the tester for the fingerprint and compare it.',
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
    summary: "Print the public key that verifies this home's evidence. Its fingerprint goes to standard error.",
    notes: ['Send it once to everyone who gets your evidence, for "croupier evidence verify FILE --key KEY".'],
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
  'as signed': 'unchanged',
  changed: 'changed since signing',
  missing: 'missing',
  'not signed': 'not signed',
};

/** `wanted`: the fingerprint of the key that has to have signed; null if this home has none. */
function linesOf({ files, isListSigned, fingerprint }: Verified, wanted: string | null, isGiven: boolean): string[] {
  const wrong = files.filter(({ state }) => state !== 'as signed');
  const whose = isGiven ? 'the key you gave' : 'the key of this home';
  return [
    ...files.map(({ path, state }) => `${path}: ${stateWords[state]}`),
    ...(isListSigned
      ? [
          wrong.length === 0
            ? `Nothing changed since signing: ${counted(files.length)} ${files.length === 1 ? 'file' : 'files'}.`
            : `${counted(wrong.length)} of ${counted(files.length)} files ${wrong.length === 1 ? 'is' : 'are'} not as signed.`,
        ]
      : ["The signature doesn't match: it or the file list was changed."]),
    fingerprint === null
      ? 'It has no readable key.'
      : fingerprint === wanted
        ? `Signed with ${whose}, ${fingerprint}.`
        : isGiven
          ? `Signed with another key: ${fingerprint}, not ${String(wanted)}.`
          : `Signed with a key that this home doesn't know: ${fingerprint}. If the tester confirms the fingerprint, pass it with --key.`,
  ];
}
