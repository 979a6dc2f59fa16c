import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { requireTool } from '../external-tools.ts';
import { startTlsServer } from '../https-server.ts';
import type { WalletFault } from './wallet-faults.ts';

export type WalletLanguage = 'php' | 'python';

/** A player with an open session; the balance is exact decimal text. */
interface ReferencePlayer {
  readonly playerId: string;
  readonly externalToken: string;
  readonly country: string;
  readonly currency: string;
  readonly balance: string;
}

export interface ReferenceWalletOptions {
  readonly language: WalletLanguage;
  /** The control waits where the faults of races wait, but inside its lock. */
  readonly fault?: WalletFault | 'control-rendezvous';
  /** Two by default. What is left out of one is made up. */
  readonly players?: readonly Partial<ReferencePlayer>[];
  /** That of players who name none; EUR by default. */
  readonly currency?: string;
}

/** An operator's wallet, run by its language's interpreter behind TLS. */
export interface ReferenceWallet {
  readonly walletUrl: string;
  /** The file of the authority that signed the wallet's certificate. */
  readonly ca: string;
  readonly players: readonly ReferencePlayer[];
  /** Returns how many calls at most were inside the wallet's own code at once since this was last asked, as the wallet marked them. */
  mostInside(): Promise<number>;
  /** Ends the wallet's processes and starts new ones on the same database. */
  restart(): Promise<void>;
  /** Sets the wallet's clock that many seconds ahead. */
  moveClock(seconds: number): Promise<void>;
  /** Reads the balance from the database, as decimal text. Faults of money may store what this cannot tell exactly. */
  balanceOf(playerId: string): string;
  stop(): Promise<void>;
}

const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));
/** The programs that run the wallets, and what they run. */
export const walletPrograms = {
  php: {
    tool: 'php',
    // The script is read once for all workers; what it prints leaves at once; a crash is shown.
    args: ['opcache.enable_cli=1', 'output_buffering=0', 'display_errors=1', 'html_errors=1'].flatMap((line) => ['-d', line]),
    file: script('wallet.php'),
    setUp: [],
  },
  python: { tool: 'python3', args: [], file: script('wallet.py'), setUp: ['setup'] },
} as const;

/** Starts a wallet with a database of its own, in a folder that goes when it stops. */
export async function startReferenceWallet(options: ReferenceWalletOptions): Promise<ReferenceWallet> {
  const { tool, args, file, setUp } = walletPrograms[options.language];
  const program = requireTool(tool);
  const folder = await mkdtemp(join(tmpdir(), 'croupier-wallet-'));
  const clock = join(folder, 'clock');
  const inside = join(folder, 'inside');
  const players = (options.players ?? [{}, {}]).map((player, index) => ({
    playerId: `player-${index + 1}`,
    // A letter in each, so that letter case can be told.
    externalToken: `${'abc'.charAt(index % 3)}${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', '').slice(0, 64),
    country: 'DE',
    currency: options.currency ?? 'EUR',
    balance: String((index + 1) * 1000),
    ...player,
  }));
  const env = {
    ...process.env,
    WALLET_FOLDER: folder,
    WALLET_FAULT: options.fault ?? '',
    WALLET_PLAYERS: JSON.stringify(players),
    PHP_CLI_SERVER_WORKERS: '16',
  };
  await Promise.all([writeFile(clock, '0'), writeFile(inside, '')]);
  await promisify(execFile)(program, [...args, file, ...setUp], { env });
  // Held open: SQLite would put its log away after each call.
  const database = new DatabaseSync(join(folder, 'wallet.sqlite'));

  let wallet: ChildProcess;
  let port = 0;
  async function start(): Promise<void> {
    for (let tries = 5; ; tries -= 1) {
      // PHP takes no port of the system's choice.
      port = options.language === 'php' ? await freePort() : 0;
      const run = port === 0 ? [...args, file, '0'] : [...args, '-S', `127.0.0.1:${port}`, file];
      wallet = spawn(program, run, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
      const said = await firstLine(wallet, options.language === 'php' ? 'stderr' : 'stdout');
      if (port === 0) port = Number(said);
      if (port > 0 && !said.includes('Failed')) return;
      if (tries === 0) throw new Error(`The wallet did not start: ${said}`);
    }
  }
  async function end(): Promise<void> {
    const ended = wallet.exitCode === null && wallet.signalCode === null ? once(wallet, 'exit') : null;
    kill();
    await ended;
  }
  /** Ends PHP's workers as well, which outlive their first process. */
  function kill(): void {
    try {
      if (wallet.pid !== undefined) process.kill(-wallet.pid, 'SIGKILL');
    } catch {
      // None is left.
    }
  }

  await start();
  process.once('exit', kill);
  // Bytes pass as they are, and so does the end of a client that does not wait.
  const front = await startTlsServer((client) => {
    const server = connect(port, '127.0.0.1');
    server.on('error', () => client.destroy());
    server.on('close', () => client.destroy());
    client.on('close', () => server.destroy());
    client.pipe(server).pipe(client);
  });
  const ca = join(folder, 'ca.pem');
  await writeFile(ca, front.ca);
  let seen = 0;
  const balances = database.prepare('SELECT balance, decimals FROM players WHERE playerId = ?');
  balances.setReadBigInts(true);
  return {
    walletUrl: `${front.baseUrl}/operator/wallet`,
    ca,
    players,
    async mostInside() {
      const marks = await readFile(inside, 'latin1');
      let [now, most] = [0, 0];
      for (let index = 0; index <= marks.length; index += 1) {
        // Those that were inside when this was last asked count.
        if (index >= seen) most = Math.max(most, now);
        now += marks[index] === '+' ? 1 : -1;
      }
      seen = marks.length;
      return most;
    },
    async restart() {
      await end();
      await writeFile(inside, '');
      seen = 0;
      await start();
    },
    moveClock: (seconds) => writeFile(clock, String(seconds)),
    balanceOf(playerId) {
      const row = balances.get(playerId);
      if (row === undefined) throw new Error(`The wallet has no player ${playerId}`);
      return decimalText(row['balance'] as bigint | number, Number(row['decimals']));
    },
    async stop() {
      process.off('exit', kill);
      await front.close();
      await end();
      database.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Returns the first line that the program prints there, or what it says as it ends without one. */
async function firstLine(child: ChildProcess, where: 'stdout' | 'stderr'): Promise<string> {
  const { [where]: output, [where === 'stdout' ? 'stderr' : 'stdout']: other } = child;
  if (output === null || other === null) throw new Error('no output');
  other.pipe(process.stderr, { end: false });
  const lines = createInterface({ input: output });
  const [line = ''] = (await Promise.race([once(lines, 'line'), once(lines, 'close')])) as string[];
  // The rest is read and forgotten: a full pipe would stop the program.
  lines.on('line', () => undefined);
  return line;
}

function decimalText(units: bigint | number, decimals: number): string {
  if (decimals === 0) return String(units);
  const digits = String(units)
    .replace('-', '')
    .padStart(decimals + 1, '0');
  return `${units < 0 ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
