import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** PHP's own results for a text; null if it refuses. */
export interface PhpAnswer {
  readonly php: Buffer | null;
  readonly phpAssoc: Buffer | null;
  readonly unicode: Buffer | null;
  readonly unicodeAssoc: Buffer | null;
  /** Null if there is no such form. */
  readonly stable: Readonly<Record<'php' | 'php-unicode' | 'verbatim', { php: boolean; phpAssoc: boolean } | null>>;
  readonly hashPhp: string | null;
  readonly hashVerbatim: string;
}

/** Asks one PHP process about all texts at once. */
export function askPhp(php: string, texts: readonly Uint8Array[], key: string, time: string): PhpAnswer[] {
  const script = fileURLToPath(new URL('php-oracle.php', import.meta.url));
  const input = texts.map((text) => `${Buffer.from(text).toString('base64')}\n`).join('');
  const lines = runPhp(php, ['-d', 'serialize_precision=-1', '-d', 'precision=14', script, key, time], input)
    .split('\n')
    .slice(0, -1);
  if (lines.length !== texts.length) throw new Error(`PHP answered ${lines.length} of ${texts.length} texts`);
  return lines.map((line) => {
    const [php, phpAssoc, unicode, unicodeAssoc, flags, unicodeFlags, verbatimFlags, hashPhp, hashVerbatim] = line.split(
      ' ',
    ) as string[];
    return {
      php: bytesOf(php),
      phpAssoc: bytesOf(phpAssoc),
      unicode: bytesOf(unicode),
      unicodeAssoc: bytesOf(unicodeAssoc),
      stable: { php: flagsOf(flags), 'php-unicode': flagsOf(unicodeFlags), verbatim: flagsOf(verbatimFlags) },
      hashPhp: hashPhp === '-' ? null : (hashPhp as string),
      hashVerbatim: hashVerbatim as string,
    };
  });
}

/** Runs PHP with a text on its standard input and returns what it printed; throws if it failed. */
export function runPhp(php: string, args: readonly string[], input: string): string {
  const result = spawnSync(php, ['-d', 'display_errors=stderr', '-d', 'memory_limit=1G', ...args], {
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  if (result.error !== undefined) throw result.error;
  if (result.status !== 0) throw new Error(`PHP ended with ${result.status}: ${result.stderr}`);
  return result.stdout;
}

function bytesOf(field: string | undefined): Buffer | null {
  return field === '-' || field === undefined ? null : Buffer.from(field, 'base64');
}

function flagsOf(field: string | undefined) {
  return field === '-' || field === undefined ? null : { php: field[0] === '1', phpAssoc: field[1] === '1' };
}
