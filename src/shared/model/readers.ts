import { mostBytes, mostDepth, mostValues, overLimit, unreadAdvice, type Limits, type Measured } from '../json/measure.ts';
import { mostCallBytes } from '../page-socket.ts';
import { inputLimits, longestFile, longestPayload, longestTab } from './limits.ts';

/**
 * Ways by which something comes in. `file`: a file of the home or the user's, read whole and in place. `team`: a file of a collection, read
 * between other work. `input`: a file or a pipe of the command line. `lines`: read line by line, between other work. `program`: what another
 * program prints. `message`: what a page sends, measured as it arrives. `answer`: what a server sends, measured as it arrives. `job`: in a
 * thread that can be ended.
 */
type Way = 'file' | 'team' | 'input' | 'lines' | 'program' | 'message' | 'answer' | 'job';

/** A kind of what comes in: by which way, and its limits. `ms`: until its reader is ended. */
interface Reader extends Limits {
  readonly by: Way;
  readonly ms?: number;
}

const response = { bytes: mostBytes, depth: mostDepth, values: mostValues, advice: unreadAdvice } as const;
const shortFile = 'Shorten its data or its examples in an editor.';
const repair = 'Croupier never writes one this large: move it away.';
const job = { by: 'job', ms: 30_000 } as const;
/** A response, with what was sent for it. */
const responseJob = { ...job, bytes: mostBytes + 12 * longestPayload, advice: unreadAdvice } as const;
const importJob = { ...job, bytes: 6 * inputLimits.characters, advice: 'Import a part of it.' } as const;

/** Every kind of what comes in. Each reading function takes a kind of its way, so that nothing is read without a row. */
export const readers = {
  'home.collections': { by: 'file', bytes: 4_000_000, advice: repair },
  'home.deviceList': { by: 'file', bytes: 1_000_000, advice: 'Remove devices from it.' },
  'home.environment': { by: 'file', bytes: 1_000_000, advice: 'Shorten it in an editor.' },
  'home.environmentLinks': { by: 'file', bytes: 1_000_000, advice: repair },
  'home.evidenceKey': { by: 'file', bytes: 10_000, advice: repair },
  'home.evidence': { by: 'file', bytes: 20_000_000, advice: repair },
  'home.keys': { by: 'file', bytes: 4_000_000, advice: repair },
  'home.picture': { by: 'file', bytes: 524_288, advice: repair },
  'home.ports': { by: 'file', bytes: 10_000, advice: repair },
  'home.setAside': { by: 'file', bytes: 65_536, advice: repair },
  'home.settings': { by: 'file', bytes: 16_000_000, advice: repair },
  // A character takes four bytes at most, and two units then.
  'home.tab': { by: 'file', bytes: 3 * longestTab, advice: repair },
  'home.tokenCommands': { by: 'file', bytes: 1_000_000, advice: repair },
  'home.workspace': { by: 'file', bytes: 4_000_000, advice: repair },
  'provider.certificate': { by: 'file', bytes: 65_536, advice: repair },
  'report.whole': { by: 'file', bytes: 100_000_000, advice: 'It stays in Runs. Run a part of it instead.' },
  'report.lines': { by: 'lines', line: 16_000_000, advice: repair },
  'data.lines': { by: 'lines', line: 1_000_000, values: 50_000, advice: 'Shorten it, or close its quotes.' },
  'hash.lines': { by: 'lines', line: 134_217_728, advice: 'Hash it with --data-file.' },
  'authorities.file': { by: 'file', bytes: 10_000_000, advice: 'Name a smaller file.' },
  'collection.environment': { by: 'team', bytes: 1_000_000, advice: 'Shorten it.' },
  'collection.file': { by: 'team', bytes: 5_000_000, advice: shortFile },
  'git.lists': {
    by: 'program',
    bytes: 64_000_000,
    ms: 10_000,
    advice: 'Open a folder with fewer files.',
  },
  'git.file': { by: 'program', bytes: 5_000_000, ms: 10_000, advice: shortFile },
  'tokens.printed': { by: 'program', bytes: 1_000_000, ms: 30_000, advice: 'Have it print one token per line.' },
  'proxy.settings': { by: 'program', bytes: 100_000, ms: 5_000, advice: '' },
  'tools.path': { by: 'program', bytes: 10_000, ms: 10_000, advice: '' },
  'input.certificate': { by: 'input', bytes: 200_000, advice: 'Name a file with one certificate.' },
  'input.clientCertificate': { by: 'input', bytes: 100_000, advice: 'Name a file with one certificate.' },
  'input.data': { by: 'input', bytes: 67_108_864, advice: 'Hash less at once.' },
  'input.evidence': { by: 'input', bytes: 200_000_000, advice: 'Use evidence that Croupier exported.' },
  'input.evidenceKey': { by: 'input', bytes: 10_000, advice: 'Give only the key.' },
  'input.import': { by: 'input', bytes: longestFile, advice: 'Import a part of it.' },
  'input.key': { by: 'input', bytes: 16_384, advice: 'Give only the key.' },
  'input.pack': { by: 'input', bytes: 64_000_000, advice: 'Ask for a pack with fewer calls.' },
  'input.pasted': { by: 'input', bytes: 4_000_000, advice: 'Give the lines around the request.' },
  'input.payload': { by: 'input', bytes: longestPayload, advice: 'Send fewer players in one request.' },
  'input.players': { by: 'input', bytes: 5_000_000, advice: 'Name fewer players.' },
  'input.reportPart': { by: 'input', bytes: 1_000_000_000, advice: 'Run it in more parts.' },
  'input.rows': { by: 'input', bytes: longestFile, advice: 'Use a .jsonl file, which Croupier reads line by line.' },
  'input.tags': { by: 'input', bytes: 1_000_000, advice: '' },
  'input.world': { by: 'input', bytes: 200_000_000, advice: 'Start without --state.' },
  // The envelope around the input is one level.
  'page.call': {
    by: 'message',
    bytes: mostCallBytes,
    depth: inputLimits.depth + 1,
    values: inputLimits.values,
    advice: 'Send less at once.',
  },
  'page.session': { by: 'message', bytes: 4_096, depth: 4, values: 16, advice: 'Send less at once.' },
  'page.input': { by: 'message', ...inputLimits, advice: 'Send less at once.' },
  'provider.request': { by: 'answer', bytes: 4_194_304, advice: 'Send fewer players in one request.' },
  'answer.response': { by: 'answer', ...response },
  'answer.picture': { by: 'answer', bytes: 524_288, advice: 'Ask the provider for a smaller one.' },
  'answer.version': { by: 'answer', bytes: 10_000, advice: '' },
  'pac.script': { by: 'answer', bytes: 1_000_000, ms: 10_000, advice: 'Ask your network team for a smaller one.' },
  'pac.decide': { ...job, bytes: 1_000_000, ms: 5_000, advice: 'Ask your network team for a smaller one.' },
  'authorities.find': { ...job, bytes: 20_000_000, advice: 'Name a smaller file.' },
  'catalogue.games': responseJob,
  'collections.committed': { ...job, bytes: 128_000_000, advice: 'Open a folder with fewer files.' },
  'collections.conflict': { ...job, bytes: 5_000_000, advice: 'Choose a version in an editor.' },
  'collections.readFile': {
    ...job,
    bytes: 5_000_000,
    lines: 100_000,
    depth: 64,
    advice: 'Shorten it, or split it into several files.',
  },
  'collections.writeFile': {
    ...job,
    bytes: inputLimits.characters + 5_000_000,
    advice: 'Shorten it, or split it into several files.',
  },
  'example.mask': responseJob,
  'imports.hash': importJob,
  // Each value is kept with its position until the import is planned.
  'imports.plan': { ...importJob, lines: 200_000, values: 250_000 },
  'imports.secrets': importJob,
  'launch.network': { ...job, bytes: 64_000_000, advice: 'Launch the game again and save the log sooner.' },
  'launch.read': responseJob,
  'launch.token': responseJob,
  'packs.read': { ...job, ...response, advice: 'Ask for a pack with fewer calls.' },
  'passed.read': responseJob,
  'pasted.read': { ...job, characters: 4_000_000, advice: 'Paste the lines around the request.' },
  'response.evaluate': responseJob,
  'response.read': responseJob,
  'rounds.records': responseJob,
  'rounds.replay': responseJob,
  'runs.report': { ...job, bytes: 100_000_000, advice: 'The report stays in Runs. Export a run with fewer requests.' },
} as const satisfies Record<string, Reader>;

/** Kinds of what comes in by a way. */
export type Kind<By extends Way = Way> = {
  [Name in keyof typeof readers]: (typeof readers)[Name]['by'] extends By ? Name : never;
}[keyof typeof readers];

/** Says how something is beyond the limits of its kind, as what follows its name: "has 2 bytes; Croupier reads at most 1." Null if it is within. */
export function beyond(kind: Kind, measured: Measured): string | null {
  return overLimit(readers[kind], measured);
}
