import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startHttpsServer, type TestServer } from './https-server.ts';

/** A provider written in PHP behind TLS: every request is judged by PHP code that shares nothing with ours. */
export interface PhpProvider extends TestServer {
  /** Every received request, unchanged. */
  readonly received: { readonly path: string; readonly body: string }[];
}

/** Starts one PHP process that judges requests line by line, and an https server in front of it. */
export async function startPhpProvider(
  php: string,
  settings: { key: string; platform: number; partnerId: number },
): Promise<PhpProvider> {
  const script = fileURLToPath(new URL('provider-endpoint.php', import.meta.url));
  const judge = spawn(php, [
    '-d',
    'display_errors=stderr',
    '-d',
    'serialize_precision=-1',
    script,
    settings.key,
    String(settings.platform),
    String(settings.partnerId),
  ]);
  judge.stderr.pipe(process.stderr);
  const answers = createInterface({ input: judge.stdout })[Symbol.asyncIterator]();
  const received: { path: string; body: string }[] = [];
  let turn: Promise<unknown> = Promise.resolve();

  const server = await startHttpsServer(async ({ request, body }, response) => {
    const path = request.url ?? '';
    received.push({ path, body: body.toString('utf8') });
    const mine = turn.then(async () => {
      judge.stdin.write(`${JSON.stringify({ path, body: body.toString('base64') })}\n`);
      const { value } = await answers.next();
      return JSON.parse(String(value)) as { status: number; body: string };
    });
    turn = mine;
    const answer = await mine;
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(Buffer.from(answer.body, 'base64'));
  });
  return {
    ...server,
    received,
    async close() {
      judge.kill();
      await server.close();
    },
  };
}
