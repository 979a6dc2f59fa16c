import { readdirSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memoryPages, validateXML } from 'xmllint-wasm';
import { newerFormatText } from '#shared/collections/format.ts';
import { RunReport } from '#shared/collections/run-report.ts';
import { createCli, exitOf, linesFrom, newEnvironment, type Cli } from '#testing/cli-driver.ts';
import { startHttpsServer } from '#testing/https-server.ts';

const starters = fileURLToPath(new URL('../../../../starter-collections', import.meta.url));
const schemaFile = new URL('../../../testing/schemas/jenkins-junit.xsd', import.meta.url);

let cli: Cli;
let folder: string;
beforeEach(async () => {
  cli = await createCli();
  folder = dirname(cli.home);
});
afterEach(() => cli.close());

async function write(files: Readonly<Record<string, string>>): Promise<string> {
  const directory = join(folder, 'collection');
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  return directory;
}

async function isValidJunit(path: string): Promise<boolean> {
  const [contents, schema] = [await readFile(path, 'utf8'), await readFile(schemaFile, 'utf8')];
  const { valid } = await validateXML({
    xml: { fileName: 'junit.xml', contents },
    schema: { fileName: 'junit.xsd', contents: schema },
    initialMemoryPages: 64 * memoryPages.MiB,
    maxMemoryPages: 512 * memoryPages.MiB,
  });
  return valid;
}

describe('croupier run', () => {
  it.each(readdirSync(starters))('passes with the starter collection %s against the built-in provider', async (name) => {
    const [junit, json, html] = ['junit.xml', 'report.json', 'report.html'].map((file) => join(folder, file)) as [
      string,
      string,
      string,
    ];
    const { code, out, err } = await cli.run([
      'run',
      join(starters, name),
      '--env',
      'sandbox',
      '--junit',
      junit,
      '--report-json',
      json,
      '--html',
      html,
    ]);
    expect({ code, out }).toMatchObject({ code: 0 });
    expect(err.trim().split('\n')).toEqual([
      'croupier: This command starts its own built-in provider and stops it at the end.',
      ...[junit, json, html].map((path) => `croupier: wrote ${path}`),
    ]);
    const report = RunReport.parse(JSON.parse(await readFile(json, 'utf8')));
    expect(report.totals.passed).toBe(report.totals.requests);
    expect(out.trim().split('\n')).toHaveLength(report.totals.requests + 1);
    expect(await isValidJunit(junit)).toBe(true);
    expect(await readFile(html, 'utf8')).toContain('all passed');
    // Of tokens, nothing is in what is handed on.
    for (const path of [junit, json, html])
      expect(await readFile(path, 'utf8')).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-/);
  });

  it('ends with 2 before anything is sent where a name is mistyped or a check is missing that has to be there', async () => {
    const directory = await write({
      'A.yaml': 'operation: gameList\ndata: |\n  {"currency": "EUR"}\nexpects:\n  - code: "8"\n',
      'B.yaml': 'operation: gameList\ndata: |\n  {"currency": "EUR"}\nexpect:\n  - cod: "0"\n',
    });
    const refused = await cli.run(['run', directory, '--env', 'sandbox']);
    expect({ code: refused.code, out: refused.out, err: refused.err.trim().split('\n').slice(-3) }).toEqual({
      code: 2,
      out: '',
      err: [
        'croupier: Nothing was run: 2 files cannot be read.',
        '  A.yaml, line 4, column 1: expects is not a field of a request file. Did you mean expect?',
        '  B.yaml, line 5, column 5: cod is not a field of expect, item 1. Did you mean code?',
      ],
    });
    await write({
      'A.yaml': 'operation: gameList\ndata: |\n  {"currency": "EUR"}\nowner: me\n',
      'B.yaml': 'operation: gameList\ndata: |\n  {"currency": "EUR"}\nexpect:\n  - code: "0"\n',
    });
    const warned = await cli.run(['run', directory, '--env', 'sandbox', '--var', 'x=1']);
    expect(warned.code).toBe(0);
    expect(warned.err).toContain('croupier: A.yaml, line 4, column 1: owner is not a field of a request file');
    expect(warned.err).toContain('croupier: Never used: x (a variable of this run).');
    expect(warned.out).toContain('1 of 2 requests has no check of its own');
    expect(warned.out).toContain('; 2 warnings; ');
    await write({
      'A.yaml': 'operation: gameList\ndata: |\n  {"currency": "EUR"}\nexpect:\n  - header: "x"\n',
    });
    const unknown = await cli.run(['run', directory, '--env', 'sandbox']);
    expect({ code: unknown.code, out: unknown.out }).toEqual({ code: 2, out: '' });
    expect(unknown.err).toContain('or skip such checks (--skip-unknown-checks).');
    const unmade = await cli.run(['run', directory, '--env', 'sandbox', '--skip-unknown-checks', '--json']);
    expect(unmade.err).toContain(
      'croupier: A.yaml, line 5, column 5: header is not a field of expect, item 1, so Croupier skips the check. ',
    );
    expect(JSON.parse(unmade.out.trim().split('\n').at(-1) ?? '')).toMatchObject({
      totals: { passed: 2, unchecked: 1 },
      warnings: [expect.stringContaining('header is not a field')],
    });
    const strict = await cli.run(['run', directory, '--env', 'sandbox', '--skip-unknown-checks', '--require-checks']);
    expect({ code: strict.code, out: strict.out }).toEqual({ code: 2, out: '' });
    expect(strict.err).toMatch(/1 of 2 requests has no check of its own\..*\n {2}A\.yaml\n$/);
  });

  it('prints the findings that need attention as "croupier call" does, counts them, and passes', async () => {
    const data =
      '{"playerId": 5, "externalReferenceId": "r-1", "freeRoundValidity": "01-01-2020 00:00:00", "numberOfFreeRounds": 1}';
    const directory = await write({
      'Past.yaml': `operation: freeRounds\nform: single\ndata: |\n  ${data}\nexpect:\n  - path: /code\n    present: true\n`,
      'Good.yaml': 'operation: gameList\ndata: |\n  {"currency": "EUR"}\nexpect:\n  - code: "0"\n',
    });
    const { code, out } = await cli.run(['run', directory, '--env', 'sandbox']);
    const called = await cli.run(['call', 'freeRounds', '--env', 'sandbox', '--form', 'single', '--data', data]);
    const said = called.err.split('\n').flatMap((line) => /^croupier: (request, .*)$/.exec(line)?.[1] ?? []);
    expect(said).toHaveLength(2);
    expect(said.join('\n')).toContain('freeRoundValidity is in the past');
    const lines = out.trim().split('\n');
    expect({ code, lines: lines.length }).toEqual({ code: 0, lines: 5 });
    expect(lines.filter((line) => line.startsWith(' '))).toEqual(said.map((line) => `           Past.yaml: ${line}`));
    expect(lines.at(-1)).toContain('; 1 of 2 requests has findings; ');
  });

  it('prints a finding of a request once, in however many passes it is made, and says of a code that it stands in', async () => {
    const directory = await write({
      'Level.yaml':
        'operation: freeRounds\nform: single\ndata: |\n  {"playerId": 5, "externalReferenceId": "{{$uniqueId}}", "freeRoundValidity": "{{$now+7d}}", "numberOfFreeRounds": 1, "betLevel": 50, "gameIds": ["1001"]}\n',
    });
    const json = join(folder, 'report.json');
    const { code, out } = await cli.run(['run', directory, '--env', 'sandbox', '--repeat', '3', '--report-json', json]);
    expect(code).toBe(1);
    expect(out.match(/playerId must be a string in double quotes/g)).toHaveLength(1);
    expect(out).toContain('; 3 of 3 requests have findings; ');
    expect(out).toContain(
      "1 of 1 check failed. The built-in provider's reason: playerId must be a string. The built-in provider uses code 9 here. The spec shows no code for this reason, so another provider may return another.",
    );
    const { iterations } = RunReport.parse(JSON.parse(await readFile(json, 'utf8')));
    expect(iterations.flatMap(({ requests }) => requests.map(({ findings }) => findings.length))).toEqual([1, 1, 1]);
  });

  it('ends with 70 where everything passed and an outcome could not be written to the history', async () => {
    const directory = await write({
      'List.yaml': 'operation: gameList\ndata: |\n  {"currency": "EUR"}\nexpect:\n  - code: "0"\n',
    });
    const args = ['run', directory, '--env', 'sandbox', '--junit', join(folder, 'junit.xml')];
    expect((await cli.run(args)).code).toBe(0);
    const history = new DatabaseSync(join(cli.home, 'history.sqlite'));
    // A name of Croupier's: a history with any other is refused.
    history.exec(
      "DROP TRIGGER launches_renoted; CREATE TRIGGER launches_renoted BEFORE INSERT ON call_responses BEGIN SELECT RAISE(ABORT, 'no room'); END",
    );
    history.close();
    const { code, out } = await cli.run(args);
    expect(code).toBe(70);
    const lines = out.trim().split('\n');
    expect(lines[0]).toMatch(/^passed /);
    expect(lines[1]).toMatch(/List\.yaml: The outcome of call \d+ could not be written to the history\. .*no room/);
    expect(lines[2]).toContain('1 request: 1 passed, 0 failed');
    expect(lines[2]).toContain('1 outcome is not in the history');
    expect(await readFile(join(folder, 'junit.xml'), 'utf8')).toContain('errors="1"');
    expect(await isValidJunit(join(folder, 'junit.xml'))).toBe(true);
  });

  it('neither runs a collection that a newer version wrote nor imports into it, and says what to do', async () => {
    const directory = await write({
      'collection.yaml': 'format: 2\n',
      'games/List.yaml': 'operation: gameList\n',
      'a.sh': 'curl https://p.example\n',
    });
    for (const path of [directory, join(directory, 'games'), join(directory, 'games', 'List.yaml')]) {
      const run = await cli.run(['run', path, '--env', 'sandbox']);
      expect(run).toMatchObject({ code: 2, out: '' });
      expect(run.err).toContain(newerFormatText(2));
    }
    const imported = await cli.run(['import', join(directory, 'a.sh'), '--into', directory]);
    expect(imported.code).not.toBe(0);
    expect(imported.err).toContain(newerFormatText(2));
    expect((await readdir(directory)).sort()).toEqual(['a.sh', 'collection.yaml', 'games']);
  });

  it('ends with 1 where a check fails, and names file, check, what was expected and what came', async () => {
    const directory = await write({
      'collection.yaml': '',
      'games/List.yaml':
        'operation: gameList\ndata: |\n  {"currency": "EUR"}\nexpect:\n  - code: "0"\n  - path: /data/slots/0/id\n    equals: "999"\n',
    });
    const junit = join(folder, 'junit.xml');
    const failed = await cli.run(['run', join(directory, 'games', 'List.yaml'), '--env', 'sandbox', '--junit', junit]);
    expect(failed.code).toBe(1);
    expect(failed.out).toContain(
      'games/List.yaml: /data/slots/0/id is 999: expected 999, actual 1001. /data/slots/0/id is 1001.\n',
    );
    expect(failed.out).toContain(
      '1 request: 0 passed, 1 failed, 0 with an error, 0 skipped, 0 cancelled; 2 checks: 1 passed, 1 failed;',
    );
    expect(await readFile(junit, 'utf8')).toContain('expected: 999');
    expect(await isValidJunit(junit)).toBe(true);
    // The environment and its address are as another program left them, and no key was kept.
    expect((await stat(join(cli.home, 'environments', 'sandbox.json'))).isFile()).toBe(true);
    const lines = (await cli.run(['run', directory, '--env', 'sandbox', '--json'])).out.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { iteration: 1, request: { path: 'games/List', state: 'failed' } },
      { state: 'finished', totals: { requests: 1, failed: 1 } },
    ]);
  });

  it('runs for each row, with variables, in parallel, and its calls are in the history', async () => {
    const server = await startHttpsServer(({ body }, response) => {
      const { data } = JSON.parse(body.toString('utf8')) as { data: unknown };
      response.end(JSON.stringify({ code: 0, message: 'ok', data }));
    });
    try {
      const ca = join(folder, 'ca.pem');
      await writeFile(ca, server.ca);
      await cli.run(newEnvironment('stage', server.baseUrl, '--ca', ca));
      const directory = await write({
        'a.yaml':
          'operation: getGameRound\ndata: |\n  {"roundId": "{{name}} {{more}}", "logMonth": 0}\nexpect:\n  - path: /data/roundId\n    equals: "{{name}} x=1"\n',
        'rows.csv': 'name\n001\n"a, b"\n',
      });
      const run = (...args: string[]) =>
        cli.run(['run', directory, '--env', 'stage', '--key-env', 'KEY', '--var', 'more=x=1', ...args], {
          env: { KEY: 'the-key-of-this-test' },
        });
      const done = await run('--data', join(directory, 'rows.csv'), '--repeat', '3', '--parallel', '4');
      expect(done).toMatchObject({ code: 0, err: '' });
      expect(done.out).toContain('6 requests: 6 passed');
      const runId = /; run (\S+)\n$/.exec(done.out)?.[1] ?? '';
      expect((await cli.run(['history', 'list', '--run', runId])).out.trim().split('\n')).toHaveLength(6);
      expect((await cli.run(['history', 'show', '6'])).out).toContain(`request a in run ${runId}`);
      for (const args of [
        ['--var', 'k=the-key-of-this-test'],
        ['--var', 'none'],
        ['--parallel', '0'],
        ['--data', 'rows.txt'],
        ['--data', 'missing.csv'],
        ['--junit', join(folder, 'nowhere', 'x.xml')],
      ]) {
        const refused = await run(...args);
        expect(refused, args.join(' ')).toMatchObject({ code: 2, out: '' });
        expect(refused.err).not.toContain('the-key-of-this-test');
      }
      expect(await cli.run(['run', directory, '--env', 'stage'])).toMatchObject({ code: 5 });
      await server.close();
      expect(await run()).toMatchObject({ code: 1 });
      expect(await run('--var', 'name=n')).toMatchObject({ code: 4 });
    } finally {
      await server.close();
    }
  });

  it('refuses what is not a collection and files that cannot be read, and --keep-going reports those', async () => {
    expect(await cli.run(['run', join(folder, 'nothing'), '--env', 'sandbox'])).toMatchObject({ code: 2 });
    const directory = await write({
      'a.yaml': 'operation: gamelist\n',
      'b.yaml': 'operation: gameList\ndata: |\n  {"currency": "EUR"}\n',
    });
    const refused = await cli.run(['run', directory, '--env', 'sandbox']);
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toContain('a.yaml, line 1, column 12');
    const kept = await cli.run(['run', directory, '--env', 'sandbox', '--keep-going']);
    expect(kept.code).toBe(1);
    expect(kept.out).toContain('2 requests: 1 passed, 0 failed, 1 with an error');
  });

  it('is stopped by Ctrl+C: what is under way is cancelled, the rest skipped, the reports are written', async () => {
    const server = await startHttpsServer((_, response) => {
      answered += 1;
      if (answered <= 2) response.end('{"code":0,"message":"ok","data":null}');
      else child.kill('SIGINT');
    });
    let answered = 0;
    const ca = join(folder, 'ca.pem');
    await writeFile(ca, server.ca);
    await cli.run(newEnvironment('stage', server.baseUrl, '--ca', ca));
    const directory = await write({ 'a.yaml': 'operation: getGameRound\ndata: |\n  {"roundId": 1, "logMonth": 0}\n' });
    const json = join(folder, 'report.json');
    const args = ['run', directory, '--env', 'stage', '--key-env', 'KEY', '--repeat', '5', '--report-json', json];
    const child = cli.start(args, { env: { KEY: 'the-key-of-this-test' } });
    const lines = linesFrom(child);
    try {
      await lines.next((line) =>
        line.startsWith('Cancelled. 5 requests: 2 passed, 0 failed, 0 with an error, 2 skipped, 1 cancelled;'),
      );
      expect(await exitOf(child)).toBe(4);
      const { totals } = RunReport.parse(JSON.parse(await readFile(json, 'utf8')));
      expect(totals).toMatchObject({ requests: 5, passed: 2, skipped: 2, cancelled: 1 });
    } finally {
      await server.close();
    }
  });
});

describe('what a failed run leaves behind', () => {
  it('stands alone: reports hold its request, response, hash input and verdict, and packs open without the history', async () => {
    const directory = await write({
      'First.yaml': `operation: playerInfo\ndata: |\n  {"externalToken": "{{externalToken}}"}\nexpect:\n  - withinMs: "0"\n`,
      'List.yaml': 'operation: gameList\noverrides:\n  hash: wrong\ndata: |\n  {"currency": "EUR"}\nexpect:\n  - code: "0"\n',
    });
    const [junit, json, html] = ['junit.xml', 'report.json', 'report.html'].map((file) => join(folder, file)) as [
      string,
      string,
      string,
    ];
    const outputs = ['--junit', junit, '--report-json', json, '--html', html, '--support-pack', join(folder, 'packs', 'new')];
    const { code, out, err } = await cli.run(['run', directory, '--env', 'sandbox', ...outputs]);
    expect({ code, out }).toMatchObject({
      code: 1,
      out: expect.stringMatching(/First\.yaml: responded within 0 ms: Expected at most 0 ms, took [\d.]+ ms\./),
    });
    const { iterations, runId } = RunReport.parse(JSON.parse(await readFile(json, 'utf8')));
    const [first, list] = iterations[0]?.requests.map(({ call }) => call) ?? [];
    expect(first?.requestBody).toContain('[token]');
    expect(list).toMatchObject({
      hashInput: expect.stringMatching(/^<PRIVATE_KEY>[-: 0-9]{19}$/),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(JSON.parse(list?.responseBody ?? '')).toMatchObject({ code: 8 });
    expect(list?.verdict).toContain('hash');
    expect(await isValidJunit(junit)).toBe(true);
    const files = await readdir(join(folder, 'packs', 'new'));
    expect(files.toSorted()).toEqual([`support-${runId}.html`, `support-${runId}.json`]);
    expect(err).toContain(`support-${runId}.json`);
    for (const path of [junit, html, join(folder, 'packs', 'new', `support-${runId}.html`)]) {
      const text = await readFile(path, 'utf8');
      expect(text, path).toContain('hash as sent');
      expect(text, path).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-/);
    }
    const exported = await cli.run(['history', 'export', '--run', runId, '--as', 'jsonl']);
    expect(
      exported.out
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { operation: string }).operation),
    ).toEqual(['playerInfo', 'gameList']);
    expect(await cli.run(['history', 'export', '--run', 'other', '--as', 'jsonl'])).toMatchObject({ code: 2, out: '' });
    expect(await cli.run(['history', 'export', '--as', 'jsonl'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--run'),
    });
  });
});

describe('rows and reruns', () => {
  it('runs the requests with a tag and what they need, none that is left out, and its reports say so', async () => {
    const directory = await write({
      'collection.yaml': 'order: [Session.yaml, Info.yaml, Games.yaml]\n',
      'Session.yaml':
        'operation: playerInfo\ntags: [slow]\ndata: \'{"externalToken": "{{externalToken}}"}\'\ntake: { own: /playerId }\n',
      'Info.yaml': 'operation: bet\ntags: [smoke]\ndata: \'{"playerId": "{{own}}"}\'\n',
      'Games.yaml': 'operation: gameList\ntags: [smoke, slow]\n',
    });
    const run = async (...options: string[]) => {
      const { code, out, err } = await cli.run(['run', directory, '--env', 'sandbox', '--json', ...options]);
      const lines = out
        .trim()
        .split('\n')
        .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as { request?: { path: string } }]));
      return { code, err, paths: lines.flatMap(({ request }) => request?.path ?? []) };
    };
    const report = join(folder, 'report.json');
    expect((await run('--tag', 'smoke', '--report-json', report)).paths.toSorted()).toEqual(['Games', 'Info', 'Session']);
    expect(JSON.parse(await readFile(report, 'utf8'))).toMatchObject({
      collection: expect.stringMatching(/, tagged smoke$/) as string,
    });
    expect((await run('--exclude-tag', 'slow')).paths).toEqual(['Info']);
    expect((await run('--tag', 'slow')).paths.toSorted()).toEqual(['Games', 'Session']);
    expect(await run('--tag', 'smok')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Did you mean smoke?') as string,
      paths: [],
    });
  });

  it('takes a JSON array of objects with every digit, and refuses anything else in .json', async () => {
    const directory = await write({
      'Round.yaml': 'operation: getGameRound\ndata: |\n  {"roundId": {{round}}, "logMonth": 0}\nexpect:\n  - code: "{{code}}"\n',
    });
    const rows = join(folder, 'rows.json');
    const run = (...more: string[]) => cli.run(['run', directory, '--env', 'sandbox', '--data', rows, '--json', ...more]);
    await writeFile(rows, '[\n  {\n    "round": 9007199254740993,\n    "code": "78"\n  },\n  {"round": 2, "code": "77"}\n]\n');
    const { code, out } = await run();
    expect(code).toBe(1);
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { row?: number; request?: { call?: { requestBody: string } } });
    expect(lines.map(({ row }) => row)).toEqual([1, 2, undefined]);
    expect(lines[0]?.request?.call?.requestBody).toContain('9007199254740993');
    const again = await run('--only-failed', 'last');
    expect({ code: again.code, requests: again.out.trim().split('\n').length }).toEqual({ code: 1, requests: 3 });
    await write({
      'Round.yaml':
        'operation: gameList\ndata: |\n  {"currency": "{{round}}{{code}}"}\nexpect:\n  - path: /code\n    present: true\n',
    });
    expect((await run('--only-failed', 'last')).code).toBe(0);
    expect(await run('--only-failed', 'last')).toMatchObject({ code: 2, err: expect.stringContaining('Nothing to rerun') });
    for (const [text, says] of [
      ['{"round": 1}', 'is not a JSON array of objects'],
      ['[1]', 'Item 1 of'],
      ['[', 'is not a JSON array of objects'],
    ] as const) {
      await writeFile(rows, text);
      expect(await run(), text).toMatchObject({ code: 2, err: expect.stringContaining(says) });
    }
    await writeFile(join(folder, 'rows.xlsx'), '');
    expect(await cli.run(['run', directory, '--data', join(folder, 'rows.xlsx')])).toMatchObject({
      code: 2,
      err: expect.stringContaining('.jsonl'),
    });
  });
});
