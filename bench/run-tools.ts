import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { installTools } from '#testing/registry-tools.ts';

/** One program that sends the same signed request `count` times, once the folder for its files exists. */
export interface Tool {
  readonly name: string;
  /**
   * Returns the program and its arguments for so many requests, one after the other or, if the tool can do that itself, ten at
   * once.
   */
  command(count: number, width: number): readonly string[];
  /** True if it sends several at once itself; else ten processes share the work. */
  readonly ownParallel: boolean;
}

export interface ToolPlace {
  readonly folder: string;
  readonly origin: string;
  readonly caFile: string;
  readonly key: string;
}

const data =
  '{"gameMode":"fun","gameId":"1042","lang":"en","externalToken":"","playerId":"player-1","country":"DE","ip":"203.0.113.9","exitURL":"https://casino.example/lobby"}';
const body = `{"action":"getLauncherURL","platform":1,"partnerId":42,"time":"{{time}}","data":${data},"hash":"{{hash}}"}`;

/** Returns a file of another tool, installed below node_modules and outside the project's own packages. */
const toolFile = (name: 'newman' | '@usebruno/cli', file: string): string =>
  installTools(path.resolve('node_modules/.cache/croupier-bench'), [name])(name, file);

/** Runs `croupier run`, on a home of its own with the key from an environment variable. */
export function croupier({ folder, origin, caFile }: ToolPlace): Tool {
  const directory = path.join(folder, 'croupier');
  mkdirSync(path.join(folder, 'home', 'environments'), { recursive: true });
  mkdirSync(directory, { recursive: true });
  writeFileSync(path.join(directory, 'launch.yaml'), `operation: getLauncherURL\ndata: |\n  ${data}\nexpect:\n  - code: "0"\n`);
  const environment = {
    id: 'bench',
    name: 'bench',
    baseUrl: origin,
    platform: 1,
    partnerId: 42,
    ca: readFileSync(caFile, 'utf8'),
  };
  writeFileSync(path.join(folder, 'home', 'environments', 'bench.json'), JSON.stringify(environment));
  return {
    name: 'croupier',
    ownParallel: true,
    command: (count, width) => [
      path.resolve('bin/croupier'),
      'run',
      directory,
      '--env',
      'bench',
      '--key-env',
      'BENCH_KEY',
      '--repeat',
      String(count),
      '--parallel',
      String(width),
    ],
  };
}

/** Runs the HTTP client alone over the same calls. */
export function bare({ origin, caFile }: ToolPlace): Tool {
  return {
    name: 'a bare client that keeps nothing',
    ownParallel: true,
    command: (count, width) => [
      process.execPath,
      path.resolve('bench/bare-run.ts'),
      origin,
      caFile,
      body,
      data,
      String(count),
      String(width),
    ],
  };
}

/** Runs newman. The key comes from the same environment variable, through the tool's own variables. */
export function newman({ folder, origin, caFile, key }: ToolPlace): Tool {
  const file = path.join(folder, 'newman.json');
  const script = (listen: string, exec: string[]) => ({ listen, script: { type: 'text/javascript', exec } });
  const collection = {
    info: { name: 'bench', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    item: [
      {
        name: 'launch',
        event: [
          script('prerequest', [
            // CryptoJS is there without a request.
            timeScript,
            `const payload = ${JSON.stringify(data)};`,
            "pm.variables.set('time', time);",
            "pm.variables.set('hash', CryptoJS.SHA256(pm.environment.get('key') + time + payload).toString());",
          ]),
          script('test', ["pm.test('code is 0', () => pm.expect(pm.response.json().code).to.equal(0));"]),
        ],
        request: {
          method: 'POST',
          header: [{ key: 'Content-Type', value: 'application/json' }],
          url: `${origin}/serviceApi.php`,
          body: { mode: 'raw', raw: body },
        },
      },
    ],
  };
  writeFileSync(file, JSON.stringify(collection));
  return {
    name: 'newman',
    ownParallel: false,
    command: (count) => [
      process.execPath,
      toolFile('newman', 'bin/newman.js'),
      'run',
      file,
      '-n',
      String(count),
      '--silent',
      '--env-var',
      `key=${key}`,
      '--ssl-extra-ca-certs',
      caFile,
    ],
  };
}

/** Runs Bruno in its faster sandbox. `atOnce`: its own way, which starts all rows of a file at once. */
export function bruno({ folder, origin, caFile, key }: ToolPlace, atOnce = false): Tool {
  const directory = path.join(folder, 'bruno');
  mkdirSync(directory, { recursive: true });
  writeFileSync(path.join(directory, 'bruno.json'), '{"version":"1","name":"bench","type":"collection"}');
  const request = [
    `meta {\n  name: launch\n  type: http\n  seq: 1\n}\n`,
    `post {\n  url: ${origin}/serviceApi.php\n  body: json\n  auth: none\n}\n`,
    `body:json {\n  ${body}\n}\n`,
    'assert {\n  res.body.code: eq 0\n}\n',
    'script:pre-request {',
    "  const crypto = require('crypto');",
    `  ${timeScript}`,
    `  const data = ${JSON.stringify(data)};`,
    "  bru.setVar('time', time);",
    "  const input = bru.getEnvVar('key') + time + data;",
    "  bru.setVar('hash', crypto.createHash('sha256').update(input).digest('hex'));",
    '}\n',
  ].join('\n');
  writeFileSync(path.join(directory, 'launch.bru'), request);
  return {
    name: `Bruno's developer sandbox${atOnce ? ', all at once' : ''}`,
    ownParallel: atOnce,
    command: (count) => [
      process.execPath,
      toolFile('@usebruno/cli', 'bin/bru.js'),
      'run',
      path.join(directory, 'launch.bru'),
      '--sandbox',
      'developer',
      ...(atOnce ? ['--csv-file-path', rowsIn(folder, count), '--parallel'] : ['--iteration-count', String(count)]),
      '--env-var',
      `key=${key}`,
      '--cacert',
      caFile,
      '--noproxy',
      '--cache-ssl-session',
    ],
  };
}

function rowsIn(folder: string, count: number): string {
  const file = path.join(folder, `rows-${count}.csv`);
  writeFileSync(file, `row\n${Array.from({ length: count }, (_, index) => `${index}\n`).join('')}`);
  return file;
}

const timeScript =
  "const now = new Date(); const two = (value) => String(value).padStart(2, '0'); " +
  "const time = two(now.getUTCDate()) + '-' + two(now.getUTCMonth() + 1) + '-' + now.getUTCFullYear() + ' ' + " +
  "two(now.getUTCHours()) + ':' + two(now.getUTCMinutes()) + ':' + two(now.getUTCSeconds());";
