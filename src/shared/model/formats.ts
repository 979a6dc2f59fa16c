/** A format in which recorded calls are exported. */
interface ExportEntry {
  readonly name: string;
  /** As menus show it. */
  readonly title: string;
  /** It sends the calls again: as they were sent, or with a fresh time and hash. */
  readonly program: boolean;
}

/**
 * The formats of recorded calls, in the order of the export menu. The menu, the command line and the contract follow from this table; core
 * does not compile until each has its writer, and a test wants its row in `docs/exports.md`.
 */
export const exportFormats = [
  { name: 'har', title: 'HAR 1.2', program: false },
  { name: 'curl', title: 'cURL', program: true },
  { name: 'php', title: 'PHP', program: true },
  { name: 'node', title: 'Node', program: true },
  { name: 'python', title: 'Python', program: true },
  { name: 'jsonl', title: 'JSON lines', program: false },
  { name: 'support', title: 'Support pack for the provider', program: false },
] as const satisfies readonly ExportEntry[];

type ExportFormat = (typeof exportFormats)[number]['name'];
export type ProgramFormat = Extract<(typeof exportFormats)[number], { readonly program: true }>['name'];

const programs: readonly string[] = exportFormats.flatMap(({ name, program }) => (program ? [name] : []));

/** Returns whether the format is a program, which may re-sign. */
export function isProgram(format: ExportFormat): format is ProgramFormat {
  return programs.includes(format);
}

/** A format in which requests of a collection are exported. */
interface CollectionExportEntry {
  readonly name: string;
  /** As `docs/import-export.md` has it. */
  readonly title: string;
  /** It holds the values of an environment, so it cannot be written without one. */
  readonly needsEnvironment: boolean;
  /** It is a directory of files. */
  readonly directory: boolean;
}

/**
 * The formats of requests of a collection. The command line and the contract follow from this table; core does not compile until each has
 * its writer, and a test wants its section in `docs/import-export.md`.
 */
export const collectionExportFormats = [
  { name: 'postman', title: 'Postman', needsEnvironment: false, directory: false },
  { name: 'bruno', title: 'Bruno', needsEnvironment: false, directory: true },
  { name: 'opencollection', title: 'OpenCollection', needsEnvironment: false, directory: true },
  { name: 'har', title: 'HAR', needsEnvironment: true, directory: false },
  { name: 'curl', title: 'cURL', needsEnvironment: true, directory: false },
  { name: 'php', title: 'PHP', needsEnvironment: true, directory: false },
  { name: 'node', title: 'Node', needsEnvironment: true, directory: false },
  { name: 'python', title: 'Python', needsEnvironment: true, directory: false },
] as const satisfies readonly CollectionExportEntry[];

/** A format of files that are imported. */
interface ImportEntry {
  readonly name: string;
  /** Names its files, after "Croupier imports". */
  readonly what: string;
  /** As the table in `docs/import-export.md` has it; several formats may be of one tool. */
  readonly from: string;
}

/** The formats of files that are imported. Refusals name them; tests want a sample that is recognised, and a row in `docs/import-export.md`. */
export const importFormats = [
  { name: 'curl', what: 'cURL commands', from: 'cURL' },
  { name: 'powershell', what: 'PowerShell commands', from: 'PowerShell' },
  { name: 'fetch', what: 'fetch calls', from: 'fetch' },
  { name: 'postman', what: 'Postman collections', from: 'Postman' },
  { name: 'postman-environment', what: 'Postman environments', from: 'Postman' },
  { name: 'insomnia', what: 'Insomnia 4 and 5 exports', from: 'Insomnia' },
  { name: 'openapi', what: 'OpenAPI 3', from: 'OpenAPI' },
  { name: 'har', what: 'HAR files', from: 'HAR' },
  { name: 'bruno', what: 'Bruno files', from: 'Bruno' },
  { name: 'opencollection', what: 'OpenCollection', from: 'Bruno' },
] as const satisfies readonly ImportEntry[];
