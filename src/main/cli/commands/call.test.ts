import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '#shared/provider/index.ts';
import { createCli, type Cli } from '#testing/cli-driver.ts';
import { makeCertificate, startHttpsServer, startTlsServer } from '#testing/https-server.ts';
import { startPhpProvider, type PhpProvider } from '#testing/php-provider.ts';
import { leaksIn } from '#testing/secret-forms.ts';
import { describeWithTool } from '#testing/external-tools.ts';

const key = 'K3y/with"quotes"&=+<42>';
const env = { PROVIDER_KEY: key };

/** Makes an environment through the command line, as a person would. */
async function makeEnvironment(cli: Cli, name: string, settings: { baseUrl: string; ca?: string; more?: string[] }) {
  const file = join(cli.home, `${name}.pem`);
  await cli.run(['env', 'list']);
  if (settings.ca !== undefined) await writeFile(file, settings.ca);
  const ca = settings.ca === undefined ? [] : ['--ca', file];
  const made = await cli.run([
    'env',
    'set',
    name,
    '--base-url',
    settings.baseUrl,
    '--platform=7',
    '--partner-id=31',
    ...ca,
    ...(settings.more ?? ['--no-production']),
  ]);
  expect(made).toMatchObject({ code: 0, err: '' });
}

describeWithTool('php', 'call against a provider in PHP', (php) => {
  let cli: Cli;
  let provider: PhpProvider;
  beforeAll(async () => {
    cli = await createCli();
    provider = await startPhpProvider(php, { key, platform: 7, partnerId: 31 });
    await makeEnvironment(cli, 'php', { baseUrl: provider.baseUrl, ca: provider.ca });
  });
  afterAll(async () => {
    await provider.close();
    await cli.close();
  });

  const documented = operations.filter(({ name }) => name !== 'cancelFreeRounds' && name !== 'currencyList');
  const forms = documented.flatMap((operation) => operation.forms.map((form) => ({ operation: operation.name, form: form.id })));

  it.each(forms)('$operation ($form) as its template is accepted', async ({ operation, form }) => {
    const set = operations.find(({ name }) => name === operation)?.endpoint === 'wallet' ? walletToken(operation) : [];
    const { code, out, err } = await cli.run(
      ['call', operation, '--env', 'php', '--key-env', 'PROVIDER_KEY', '--form', form, ...set, '--json'],
      { env },
    );
    expect({ code, err: err.replace(/^croupier: (note|warning).*\n/gm, '') }).toEqual({ code: 0, err: '' });
    const result = JSON.parse(out) as { operation: string; response: { status: number; code: number | null } };
    expect(result).toMatchObject({ operation, failure: null, response: { status: 200 } });
  });

  const exact = [
    {
      name: 'a round beyond 2^53',
      args: ['getGameRound', '--set', 'roundId=9007199254740993'],
      sent: '"roundId":9007199254740993',
    },
    {
      name: 'the largest round',
      args: ['roundReplayInfo', '--set', 'roundId=9223372036854775807'],
      sent: '"roundId":9223372036854775807',
    },
    {
      name: 'a player in letters beyond ASCII',
      args: ['getLauncherURL', '--set', 'playerId=Zoë 中文 😀'],
      sent: '"playerId":"Zo\\u00eb \\u4e2d\\u6587 \\ud83d\\ude00"',
    },
    {
      name: 'an exit address with slashes',
      args: ['getLauncherURL', '--set', 'exitURL=https://casino.example/выход?a=1&b=</script>'],
      sent: '"exitURL":"https://casino.example/\\u0432',
    },
    {
      name: 'line separators',
      args: ['getLauncherURL', '--set', 'playerId=a\u2028b\u2029c\u007f'],
      sent: '"playerId":"a\\u2028b\\u2029c\u007f"',
    },
    {
      name: 'an amount with a fraction',
      args: ['freeRoundsByBet', '--set', 'betAmount=0.10', '--set', 'playerIds=["ä","ö"]'],
      sent: '"betAmount":0.1',
    },
    {
      name: 'data as text',
      args: ['getGameRound', '--data', '{ "roundId" : 18446744073709551616, "logMonth" : -0, "x": [] }'],
      sent: '"data":{"roundId":1.8446744073709552e+19,"logMonth":0,"x":[]}',
    },
  ];
  it.each(exact)('$name is accepted', async ({ args, sent }) => {
    const { code, out } = await cli.run(['call', ...args, '--env', 'php', '--key-env', 'PROVIDER_KEY', '--json'], { env });
    const result = JSON.parse(out) as {
      request: { bodyText: string; hashInput: { dataJson: string } };
      response: { bodyText: string };
    };
    expect(result.response.bodyText).toContain('"code":0');
    expect(code).toBe(0);
    expect(result.request.bodyText).toContain(sent);
    expect(result.request.bodyText).toContain(`"data":${result.request.hashInput.dataJson},`);
    expect(provider.received.at(-1)?.body).toBe(result.request.bodyText);
  });

  it('prints the answer byte for byte, and nothing else on standard output', async () => {
    const { code, out, err } = await cli.run(
      ['call', 'getGameRound', '--env', 'php', '--key-env', 'PROVIDER_KEY', '--set', 'roundId=9007199254740993'],
      { env },
    );
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe(
      '{"code":0,"message":"ok","data":[{"id":1,"gameId":1,"action":"bet","bet":1,"win":0,"currencyName":"EUR","roundId":9007199254740993,"actionTime":"2026-11-20 10:00:00","source":1,"url":"https://rounds.example/1"}]}',
    );
  });

  it('writes the response to a new file with --out, and says with --verbose what was sent', async () => {
    const path = join(cli.home, 'response.json');
    const call = () =>
      cli.run(['call', 'gameList', '--env', 'php', '--key-env', 'PROVIDER_KEY', '--out', path, '--verbose'], { env });
    const { code, out, err } = await call();
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ code: 0 });
    expect(err).toMatch(
      /^croupier: POST https:.*\ncroupier: request: \{"action":"gameList".*\ncroupier: hash input: <PRIVATE_KEY>[-: 0-9]{19}\n/m,
    );
    expect(err).toMatch(/^croupier: HTTP 200 after \d+ ms$/m);
    expect(leaksIn(err, key)).toEqual([]);
    expect(await call()).toMatchObject({ code: 2, err: expect.stringContaining('already exists') });
  });

  it('ends with 3 for a wrong key, platform and token, and says what to do', async () => {
    const wrongKey = await cli.run(['call', 'gameList', '--env', 'php', '--key-env', 'PROVIDER_KEY'], {
      env: { PROVIDER_KEY: `${key} ` },
    });
    expect(wrongKey.code).toBe(3);
    expect(wrongKey.out).toContain('"code":8');
    expect(wrongKey.err).toContain('hash not valid');
    await makeEnvironment(cli, 'other', { baseUrl: provider.baseUrl, ca: provider.ca });
    await cli.run(['env', 'set', 'other', '--platform', '8']);
    expect((await cli.run(['call', 'gameList', '--env', 'other', '--key-env', 'PROVIDER_KEY'], { env })).code).toBe(3);
    expect((await cli.run(['call', 'playerInfo', '--env', 'php', '--set', 'externalToken='])).code).toBe(3);
  });

  it('prepares and signs with --dry-run and sends nothing', async () => {
    const before = provider.received.length;
    const args = [
      'call',
      'getLauncherURL',
      '--env',
      'php',
      '--key-env',
      'PROVIDER_KEY',
      '--time',
      '20-11-2026 10:15:30',
      '--set',
      'playerId=Zoë',
    ];
    const plain = await cli.run([...args, '--dry-run'], { env });
    expect(plain).toMatchObject({ code: 0, err: '' });
    const { out } = await cli.run([...args, '--dry-run', '--json'], { env });
    const document = JSON.parse(out) as { request: { bodyText: string } };
    expect(document).toMatchObject({ callId: null, operation: 'getLauncherURL', response: null, failure: null, findings: [] });
    expect(document.request.bodyText).toBe(plain.out);
    expect(provider.received.length).toBe(before);
    expect((await cli.run(['history', 'search', '20-11-2026 10:15:30', '--json'])).out).toContain('"total": 0');
    const sent = JSON.parse((await cli.run([...args, '--json'], { env })).out) as { request: { bodyText: string } };
    expect(sent.request.bodyText).toBe(plain.out);
  });

  it('sends a wallet body as typed, and says before sending that it is not JSON', async () => {
    const text = '{ "externalToken" : "t", "amount": 1.10, }\n';
    const { err } = await cli.run(['call', 'bet', '--env', 'php', '--data', text]);
    expect(provider.received.at(-1)).toMatchObject({ body: text });
    expect(err).toMatch(/^croupier: request, error: Not JSON\. .* It is sent as typed\.$/m);
  });

  it('says before sending that an expiry is in the past in the zone of the environment', async () => {
    const args = ['call', 'freeRounds', '--env', 'php', '--key-env', 'PROVIDER_KEY', '--dry-run'];
    const past = await cli.run([...args, '--set', 'freeRoundValidity=20-11-2020 12:00:00'], { env });
    expect(past).toMatchObject({ code: 0 });
    expect(past.err).toContain('request, note at /freeRoundValidity: freeRoundValidity is in the past in UTC');
    expect((await cli.run(args, { env })).err).toBe('');
  });

  it('leaves the key in no output and no file', async () => {
    const all = [
      await cli.run(['history', 'list', '--json']),
      await cli.run(['history', 'show', '1', '--json']),
      await cli.run(['call', 'gameList', '--env', 'php', '--key-env', 'PROVIDER_KEY', '--json'], { env }),
    ];
    for (const { out, err } of all) expect(leaksIn(out + err, key)).toEqual([]);
  });

  it('sends an operation without a documented name once its name is recorded', async () => {
    const refused = await cli.run(['call', 'currencyList', '--env', 'php', '--key-env', 'PROVIDER_KEY'], { env });
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('croupier env set php --answer currencyList.action=');
    expect((await cli.run(['env', 'set', 'php', '--answer', 'currencyList.action=currencies'])).code).toBe(0);
    const { code, out } = await cli.run(['call', 'currencyList', '--env', 'php', '--key-env', 'PROVIDER_KEY', '--json'], { env });
    expect(out).toContain('\\"action\\":\\"currencies\\"');
    expect(code).toBe(0);
  });
});

function walletToken(operation: string): string[] {
  return ['--set', operation === 'generateNewToken' ? 'token=tok-1' : 'externalToken=tok-1'];
}

describe('call with an environment’s own authority', () => {
  it('trusts the public ones as well, and no other', async () => {
    const cli = await createCli();
    const certificate = await makeCertificate({ selfSigned: true });
    const server = await startHttpsServer((_, response) => void response.end('{"code":0,"message":"ok","data":[]}'), {
      certificate,
    });
    try {
      const other = await makeCertificate({ selfSigned: true });
      await makeEnvironment(cli, 'own', { baseUrl: server.baseUrl, ca: other.ca });
      const command = ['call', 'gameList', '--env', 'own', '--key-env', 'PROVIDER_KEY', '--set', 'currency=EUR', '--json'];
      const publicOnes = join(cli.home, 'public.pem');
      await writeFile(publicOnes, server.ca);
      expect((await cli.run(command, { env: { ...env, NODE_EXTRA_CA_CERTS: publicOnes } })).out).toContain('"status":200');
      expect((await cli.run(command, { env })).out).toContain('"kind":"tls"');
    } finally {
      await server.close();
      await cli.close();
    }
  });
});

describe('call', () => {
  let cli: Cli;
  beforeAll(async () => {
    cli = await createCli();
    await makeEnvironment(cli, 'nowhere', { baseUrl: 'https://localhost:1' });
  });
  afterAll(() => cli.close());

  const refused = [
    { name: 'no operation', args: [], says: 'OPERATION is missing' },
    { name: 'a mistyped operation', args: ['gamelist'], says: 'Did you mean gameList?' },
    { name: 'a mistyped option', args: ['gameList', '--evn', 'nowhere'], says: 'Did you mean --env?' },
    { name: 'an option without its value', args: ['gameList', '--env', '--json'], says: '--env needs a value' },
    { name: 'a switch with a value', args: ['gameList', '--json=yes'], says: '--json takes no value' },
    { name: 'an option given twice', args: ['gameList', '--env', 'a', '--env', 'b'], says: 'Use --env only once' },
    { name: 'an argument too many', args: ['gameList', 'super-secret'], says: 'Too many arguments: leave out 1.' },
    { name: 'an unknown environment', args: ['gameList', '--env', 'nowere'], says: 'Did you mean nowhere?' },
    { name: 'a mistyped field', args: ['getLauncherURL', '--set', 'playrId=x'], says: 'Did you mean playerId?' },
    { name: 'a field without a value', args: ['getLauncherURL', '--set', 'playerId'], says: 'FIELD=VALUE' },
    { name: 'a value of another type', args: ['getGameRound', '--set', 'roundId=1.5'], says: 'an integer' },
    { name: 'a form that is not there', args: ['freeRounds', '--form', 'many'], says: 'has no form' },
    { name: 'data twice', args: ['gameList', '--data', '{}', '--data-file', '-'], says: 'Use --data or --data-file, not both' },
    {
      name: 'data that is not JSON',
      args: ['getGameRound', '--data', '{"a":\n01}', '--key-env', 'PROVIDER_KEY'],
      says: 'line 2',
    },
    { name: 'a file that is not there', args: ['getGameRound', '--data-file', '/no/such'], says: 'no such file' },
  ];
  it.each(refused)('refuses $name with 2', async ({ args, says }) => {
    const { code, out, err } = await cli.run(['call', ...args], { env });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(says);
    expect(err).not.toContain('super-secret');
    expect(err).not.toContain('    at ');
  });

  it('has the findings about the request in its JSON document, sent or not', async () => {
    const past = ['--form', 'single', '--set', 'freeRoundValidity=01-01-2020 00:00:00', '--json'];
    for (const more of [['--dry-run'], []]) {
      const { out } = await cli.run(['call', 'freeRounds', '--env', 'sandbox', ...past, ...more]);
      const { requestFindings } = JSON.parse(out) as { requestFindings: { rule: string; path: string }[] };
      expect(requestFindings.map(({ rule, path }) => `${rule} ${path}`)).toEqual(['in-the-past /freeRoundValidity']);
    }
  });

  it('says in its JSON document whose the call is, when it left and with which hash, as the history does', async () => {
    const args = ['call', 'gameList', '--env', 'sandbox', '--json'];
    const sent = JSON.parse((await cli.run(args)).out) as { callId: number; sentAt: number; request: { hash: string } };
    const shown = JSON.parse((await cli.run(['history', 'show', String(sent.callId), '--json'])).out) as {
      sentAt: number;
      request: { hash: string; bodyText: string };
    };
    expect(sent).toMatchObject({ environment: 'sandbox', sentAt: shown.sentAt, request: { hash: shown.request.hash } });
    expect(shown.request.bodyText).toContain(`"hash":"${sent.request.hash}"`);
    const dry = JSON.parse((await cli.run([...args, '--dry-run'])).out) as { request: { hash: string; bodyText: string } };
    expect(dry).toMatchObject({ environment: 'sandbox', sentAt: null });
    expect(dry.request.bodyText).toContain(`"hash":"${dry.request.hash}"`);
  });

  it("gives the built-in provider's reason also where the response has findings", async () => {
    const args = ['call', 'roundReplayInfo', '--env', 'sandbox', '--set', 'roundId=1'];
    const { code, err } = await cli.run(args);
    expect(code).toBe(0);
    const lines = err.split('\n').filter((line) => !line.includes('built-in provider'));
    expect(lines.slice(0, 2)).toEqual([
      'croupier: There is no round 1.',
      'croupier: warning at /data: data is an object in the spec; here it is null.',
    ]);
  });

  it('ends with 5 without a key, and with a variable that is not set or empty', async () => {
    const none = await cli.run(['call', 'gameList', '--env', 'nowhere']);
    expect(none.code).toBe(5);
    expect(none.err).toContain('--key-env');
    expect((await cli.run(['call', 'gameList', '--env', 'nowhere', '--key-env', 'NOT_SET'])).code).toBe(5);
    expect((await cli.run(['call', 'gameList', '--env', 'nowhere', '--key-env', 'EMPTY'], { env: { EMPTY: '' } })).code).toBe(5);
  });

  it('ends with 4 where nothing listens, and the outcome is in the history', async () => {
    const { code, out, err } = await cli.run(['call', 'gameList', '--env', 'nowhere', '--key-env', 'PROVIDER_KEY', '--json'], {
      env,
    });
    expect(code).toBe(4);
    const document = JSON.parse(out) as { callId: number; failure: { kind: string }; response: null };
    expect(document).toMatchObject({ response: null, failure: { kind: 'connect' } });
    expect(err).not.toBe('');
    const shown = await cli.run(['history', 'show', String(document.callId), '--json']);
    expect(JSON.parse(shown.out)).toMatchObject({ id: document.callId, state: 'failed', response: null });
  });

  it('ends with 3 for an answer that is not the envelope, as received', async () => {
    const server = await startHttpsServer((_received, response) => {
      response.writeHead(502, { 'content-type': 'text/html' });
      response.end('<h1>Bad gateway</h1>\n');
    });
    try {
      await makeEnvironment(cli, 'gateway', { baseUrl: server.baseUrl, ca: server.ca });
      const { code, out, err } = await cli.run(['call', 'gameList', '--env', 'gateway', '--key-env', 'PROVIDER_KEY'], { env });
      expect({ code, out }).toEqual({ code: 3, out: '<h1>Bad gateway</h1>\n' });
      expect(err).toContain('The response is not JSON.');
    } finally {
      await server.close();
    }
  });

  it('says first at which byte PHP changes data, where that may be why a hash is rejected', async () => {
    const server = await startHttpsServer((_received, response) => {
      response.end('{"code":8,"message":"hash not valid","data":null}');
    });
    try {
      await makeEnvironment(cli, 'strict', {
        baseUrl: server.baseUrl,
        ca: server.ca,
        more: ['--no-production', '--serialization', 'verbatim'],
      });
      const data = ['--data', '{"roundId":1,"logMonth":0,"a":"x\\/y"}'];
      const { code, err } = await cli.run(['call', 'getGameRound', '--env', 'strict', '--key-env', 'PROVIDER_KEY', ...data], {
        env,
      });
      expect(code).toBe(3);
      const said = err.split('\n').filter((line) => !line.startsWith('croupier: request,'));
      expect(said.slice(0, 5)).toEqual([
        'croupier: Code 8, hash not valid',
        'croupier: PHP changes data at byte 32: this call sent `x\\/y`, PHP writes x/y.',
        'croupier: PHP writes an escaped slash \\/ as /, because JSON_UNESCAPED_SLASHES is set. A provider that decodes and re-encodes it hashes other bytes.',
        'croupier: 1. Set the serialization to php. croupier env set strict --serialization php',
        'croupier: 2. Set the key again: one trailing space or line break changes the hash. croupier key set strict',
      ]);
    } finally {
      await server.close();
    }
  });

  it('gives up the call on SIGINT, records that, and ends with 4', async () => {
    const connected = Promise.withResolvers<void>();
    const server = await startTlsServer((socket) => socket.once('data', () => connected.resolve()));
    try {
      await makeEnvironment(cli, 'silent', { baseUrl: server.baseUrl, ca: server.ca });
      const child = cli.start(['call', 'gameList', '--env', 'silent', '--key-env', 'PROVIDER_KEY', '--json'], { env });
      let out = '';
      child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
      await connected.promise;
      child.kill('SIGINT');
      expect(await new Promise((resolve) => child.once('close', resolve))).toBe(4);
      expect(JSON.parse(out)).toMatchObject({ response: null, failure: { kind: 'cancelled' } });
    } finally {
      await server.close();
    }
  });

  it('sends one call to another URL and under another limit, and says so then and in the history', async () => {
    const server = await startTlsServer(() => undefined);
    try {
      await makeEnvironment(cli, 'elsewhere', { baseUrl: 'https://provider.invalid', ca: server.ca });
      const to = ['call', 'gameList', '--env', 'elsewhere', '--key-env', 'PROVIDER_KEY', '--base-url', server.baseUrl];
      const { code, out, err } = await cli.run([...to, '--timeout', '300ms', '--json'], { env });
      const { callId, ...document } = JSON.parse(out) as { callId: number };
      expect({ code, document }).toMatchObject({
        code: 4,
        document: {
          instead: { baseUrl: true, timeoutMs: 300 },
          failure: { kind: 'timeout', hint: expect.stringMatching(/^This limit was set for this call only\./) as string },
        },
      });
      const said = `This call used ${server.baseUrl}/serviceApi.php instead of the URL of elsewhere. The limit of 300 ms was set for this call only.`;
      expect(err).toContain(`croupier: ${said}\n`);
      expect((await cli.run(['history', 'show', String(callId)])).out).toContain(`${said}\n`);
      expect((await cli.run(['history', 'list', '--env', 'elsewhere'])).out).toContain('elsewhere (another URL)');
      const dry = await cli.run([...to, '--dry-run', '--json'], { env });
      expect(JSON.parse(dry.out)).toMatchObject({
        instead: { baseUrl: true },
        request: { url: `${server.baseUrl}/serviceApi.php` },
      });
    } finally {
      await server.close();
    }
    for (const wrong of [
      ['--timeout', '0'],
      ['--timeout', '2m'],
      ['--timeout', '601s'],
      ['--base-url', 'http://a.example'],
      ['--base-url', 'a'],
    ])
      expect(
        await cli.run(['call', 'gameList', '--env', 'elsewhere', ...wrong, '--dry-run', '--key-env', 'PROVIDER_KEY'], { env }),
      ).toMatchObject({
        code: 2,
        out: '',
      });
  });

  it('ends with 2 for a home that cannot be made, in one line', async () => {
    const { code, err } = await cli.run(['env', 'list'], { env: { CROUPIER_HOME: '/dev/null/home' } });
    expect(code).toBe(2);
    expect(err.trim().split('\n')).toHaveLength(1);
  });
});

it('checks betLevel against the game list that the command line or any other call brought', async () => {
  const cli = await createCli();
  const slots = [{ id: 1042, gameName: 'Firefly Lagoon', bets: [0.1, 0.2, 0.5], thumbnail: '', status: 1 }];
  const server = await startHttpsServer(
    ({ body }, response) =>
      void response.end(
        JSON.stringify({ code: 0, message: 'ok', data: body.includes('"gameList"') ? { slots } : { referenceId: 'r' } }),
      ),
  );
  try {
    await makeEnvironment(cli, 'own', server);
    const options = ['--env', 'own', '--key-env', 'PROVIDER_KEY'];
    const grant = (...more: string[]) =>
      cli.run(['call', 'freeRounds', ...options, '--set', 'gameIds=["1042"]', '--set', 'betLevel=50', '--dry-run', ...more], {
        env,
      });
    const expected =
      'betLevel 50: Firefly Lagoon has 3 bets in USD in the newest game list, levels 0 to 2 if the first bet is 0.';
    expect((await grant()).err).not.toContain('betLevel');
    expect((await cli.run(['call', 'gameList', ...options, '--set', 'currency=USD'], { env })).code).toBe(0);
    const { code, err } = await grant();
    expect(code).toBe(0);
    expect(err).toContain(`croupier: request, warning at /betLevel: ${expected}`);
  } finally {
    await server.close();
    await cli.close();
  }
});
