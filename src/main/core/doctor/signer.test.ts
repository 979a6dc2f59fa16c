import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dotnetByRule } from '#testing/encoders/dotnet-by-rule.ts';
import { describeWithTool } from '#testing/external-tools.ts';
import { judgeSigner, signerFiles, signerJunit, signerLine, signerVectors } from './signer.ts';

const vectors = signerVectors();
const sha = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');

/** The answers of a signer that writes data in a way of its own. */
function answersOf(write: (dataJson: string) => string, some = vectors): string[] {
  return some.map(({ time, dataJson }) =>
    sha(`throw-away-key-for-tests-0123456789${time}${dataJson === null ? '' : write(dataJson)}`),
  );
}

describe('judgeSigner', () => {
  it('has hundreds of cases with an ID each, over every documented form of every signed operation', () => {
    expect(vectors.length).toBeGreaterThan(190);
    expect(new Set(vectors.map(({ id }) => id)).size).toBe(vectors.length);
    expect(new Set(vectors.map(({ action }) => action)).size).toBeGreaterThan(5);
    expect(signerLine({ ...vectors[0], time: 'T', data: '{"é":1}' } as (typeof vectors)[number])).toBe(
      '{"privateKey":"throw-away-key-for-tests-0123456789","time":"T","data":{"\\u00e9":1}}',
    );
  });

  it('finds nothing wrong with what is right', () => {
    expect(
      judgeSigner(
        vectors,
        answersOf((text) => text),
      ),
    ).toEqual({ right: vectors.length, groups: [] });
  });

  it('groups what is wrong by its mistake', () => {
    const { right, groups } = judgeSigner(
      vectors,
      answersOf((text) => text.replaceAll('/', '\\/')),
    );
    expect(groups.map(({ says }) => says)).toEqual(['Your backend escapes the slashes.']);
    expect(right + (groups[0]?.cases.length ?? 0)).toBe(vectors.length);
    expect(groups[0]?.cases.every(({ vector }) => vector.dataJson?.includes('/'))).toBe(true);
  });

  it('takes no mistake for that of the program which would change more cases than it explains', () => {
    const some = vectors.filter(({ dataJson }) => dataJson?.includes('/'));
    const write = (text: string) => text.replaceAll('/', '\\/');
    const answers = answersOf(write, some).with(0, answersOf((text) => `${write(text)}\n`, some)[0] ?? '');
    const { groups } = judgeSigner(some, answers);
    expect(groups.map(({ says, cases }) => [says, cases.length])).toEqual([
      ['Your backend escapes the slashes.', some.length - 1],
      [null, 1],
    ]);
  });

  it('takes a zero that is lost in front of some hashes for what it is', () => {
    const { groups } = judgeSigner(
      vectors,
      vectors.map(({ hash }) => hash.replace(/^0+/, '')),
    );
    expect(groups.map(({ says }) => says)).toEqual(['Your backend drops the leading zeros of the hash.']);
  });

  it('says of lines that are missing, and of hashes of something else, that nothing explains them', () => {
    const answers = answersOf((text) => text);
    answers[1] = sha('something else');
    const { groups } = judgeSigner(vectors, answers.slice(0, -1));
    expect(groups.map(({ says, cases }) => [says, cases.map(({ answer }) => answer)])).toEqual([[null, [answers[1], null]]]);
  });

  it('is written as JUnit XML, each case under the form that it is of', () => {
    const answers = answersOf((text) => text);
    answers[3] = 'no <hash>';
    const xml = signerJunit(vectors, judgeSigner(vectors, answers));
    expect(xml).toContain(`<testsuite name="signer" tests="${vectors.length}" failures="1" errors="0" skipped="0">`);
    expect(xml.match(/<testcase /g)).toHaveLength(vectors.length);
    expect(xml).toContain(`printed  no &lt;hash&gt;</failure>`);
  });
});

/** Mistakes of real encoders, by the code that writes data. */
const encoders = {
  python3: {
    'json.dumps(data)': [
      'Your backend writes data as Python does: a space after each colon and comma, and floats as 1.0 and 1e-05.',
    ],
    'json.dumps(data, ensure_ascii=False)': [
      'Your backend writes a space after each colon and comma, and leaves non-ASCII characters unescaped.',
    ],
    "json.dumps(data, separators=(',', ':'))": [
      'Your backend escapes the character U+007F.',
      'Your backend keeps the digits of numbers: 1.0 stays 1.0.',
    ],
    "json.dumps(data, separators=(',', ':'), sort_keys=True)": [
      'Your backend sorts the fields of data by name.',
      'Your backend sorts the fields of data by name. Your backend escapes the character U+007F.',
      'Your backend keeps the digits of numbers: 1.0 stays 1.0. Your backend sorts the fields of data by name.',
    ],
  },
  php: {
    'json_encode($data)': ['Your backend escapes the slashes.'],
    'json_encode($data, JSON_UNESCAPED_SLASHES)': [],
    'json_encode($data, JSON_UNESCAPED_UNICODE)': [
      'Your backend escapes the slashes.',
      'Your backend leaves non-ASCII characters unescaped, except U+2028 and U+2029.',
    ],
    'json_encode((array) $data, JSON_NUMERIC_CHECK | JSON_UNESCAPED_SLASHES)': [
      'Your backend writes strings that look like numbers as numbers.',
    ],
    'json_encode(json_decode(json_encode($data), true), JSON_UNESCAPED_SLASHES)': [
      'Your backend turns an empty object into an empty array.',
    ],
  },
  node: {
    'JSON.stringify(data)': [
      'Your backend leaves non-ASCII characters unescaped.',
      'Your backend reads numbers as 64-bit floats, which changes integers beyond 2^53.',
    ],
    'JSON.stringify(JSON.stringify(data))': [
      'Your backend encodes data twice: it hashes a JSON string that contains JSON.',
      'Your backend encodes data twice: it hashes a JSON string that contains JSON. Your backend reads numbers as 64-bit floats, which changes integers beyond 2^53.',
      'Your backend leaves non-ASCII characters unescaped. Your backend encodes data twice: it hashes a JSON string that contains JSON.',
    ],
  },
} as const;

const programs: Readonly<Record<keyof typeof encoders, (code: string) => readonly string[]>> = {
  python3: (code) => [
    '-c',
    `
import sys, json, hashlib
for line in sys.stdin:
    case = json.loads(line)
    data = case.get('data')
    text = ${code} if 'data' in case else ''
    print(hashlib.sha256((case['privateKey'] + case['time'] + text).encode()).hexdigest())`,
  ],
  php: (code) => [
    '-r',
    `while (($line = fgets(STDIN)) !== false) { $case = json_decode($line);
$text = ''; if (property_exists($case, 'data')) { $data = $case->data; $text = ${code}; }
echo hash('sha256', $case->privateKey . $case->time . $text), "\n"; }`,
  ],
  node: (code) => [
    '-e',
    `const { createHash } = require('node:crypto');
for (const line of require('node:fs').readFileSync(0, 'utf8').trim().split('\\n')) { const { privateKey, time, data } = JSON.parse(line);
const text = data === undefined ? '' : ${code};
console.log(createHash('sha256').update(privateKey + time + text).digest('hex')); }`,
  ],
};

for (const tool of ['python3', 'php', 'node'] as const)
  describeWithTool(tool, `the mistakes of ${tool}`, (path) => {
    // One form of each kind: all would take minutes.
    const few = vectors.filter(({ id }) => /^(?:gameList|roundReplayInfo)/.test(id));

    it.each(Object.entries(encoders[tool]))('%s', (code, says) => {
      const input = `${few.map(signerLine).join('\n')}\n`;
      const answers = execFileSync(path, programs[tool](code), { input, encoding: 'utf8' }).trim().split('\n');
      expect(new Set(judgeSigner(few, answers).groups.map((group) => group.says))).toEqual(new Set(says));
    });
  });

describe('ready tests', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'croupier-signer-'));
    for (const [name, text] of signerFiles()) await writeFile(join(folder, name), text);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('are for six frameworks, beside their vectors', () => {
    expect([...signerFiles().keys()]).toEqual([
      'vectors.json',
      'SignerTest.php',
      'signer.test.js',
      'test_signer.py',
      'SignerTest.java',
      'signer_test.go',
      'SignerTests.cs',
    ]);
  });

  it('pass as they are: Node', () => {
    const out = execFileSync(process.execPath, ['--test', '--test-reporter', 'tap', join(folder, 'signer.test.js')], {
      encoding: 'utf8',
    });
    expect(out).toMatch(/^# fail 0$/m);
    expect(Number(/^# pass (\d+)$/m.exec(out)?.[1])).toBeGreaterThan(150);
  });

  it('pass as they are: .NET, by the rules of its encoder', () => {
    const text = signerFiles().get('SignerTests.cs') ?? '';
    const pattern = /Regex\.Replace\(json, @"(.*?)",/.exec(text)?.[1] ?? '';
    const cases = vectors.filter(({ edge, data }) => !edge && data !== null);
    const written = dotnetByRule(cases.map(({ data }) => data ?? '')).get('System.Text.Json, UnsafeRelaxedJsonEscaping') ?? [];
    const ascii = (match: string) =>
      match.length === 1
        ? `\\u${match.charCodeAt(0).toString(16).padStart(4, '0')}`
        : match.length === 6
          ? match.toLowerCase()
          : match;
    expect(written.map((json) => json.toString().replaceAll(new RegExp(pattern, 'g'), ascii))).toEqual(
      cases.map(({ dataJson }) => dataJson),
    );
  });

  describeWithTool('go', 'pass as they are: Go', (go) => {
    it('with its framework', () => {
      const env = { ...process.env, GO111MODULE: 'off' };
      const out = execFileSync(go, ['test', '-v', 'signer_test.go'], { cwd: folder, encoding: 'utf8', env });
      expect(out.match(/--- PASS: TestHash\//g)?.length).toBeGreaterThan(150);
    });
  });

  // A few lines stand in for what the tests use of their frameworks.
  describeWithTool('python3', 'pass as they are: Python', (python) => {
    it('with their own code', () => {
      const run = `
import sys, types
pytest = types.ModuleType('pytest')
seen = []
def parametrize(name, cases, ids):
    return lambda test: [test(case) or seen.append(ids(case)) for case in cases]
pytest.mark = types.SimpleNamespace(parametrize=parametrize)
sys.modules['pytest'] = pytest
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import test_signer
print(len(seen))`;
      expect(Number(execFileSync(python, ['-c', run, folder], { encoding: 'utf8' }))).toBeGreaterThan(150);
    });
  });

  describeWithTool('/usr/share/java/jackson-databind.jar', 'pass as they are: Java', () => {
    it('with their own code', async () => {
      const jars = ['databind', 'core', 'annotations'].map((name) => `/usr/share/java/jackson-${name}.jar`).join(':');
      const framework = `
public class Run { public static void main(String[] args) throws Exception {
  for (var one : SignerTest.vectors().toList()) new SignerTest().hash((String) one.all[0], (String) one.all[1], (JsonNode) one.all[2]);
  System.out.println(SignerTest.passed); } }
class Arguments { Object[] all; static Arguments of(Object... all) { var one = new Arguments(); one.all = all; return one; } }
class SignerTest { static int passed;
  static void assertEquals(Object a, Object b) { if (!a.equals(b)) throw new AssertionError(a + " " + b); passed++; }`;
      const own = (signerFiles().get('SignerTest.java') ?? '').replaceAll(/^import (?:static )?org\.junit.*$|@\w+\(.*\)$/gm, '');
      await writeFile(join(folder, 'Run.java'), own.replace('class SignerTest {', framework));
      const out = execFileSync('java', ['-cp', jars, 'Run.java'], { cwd: folder, encoding: 'utf8' });
      expect(Number(out)).toBeGreaterThan(150);
    });
  });

  describeWithTool('php', 'pass as they are: PHP', (php) => {
    it('with their own code', () => {
      const run = `
namespace PHPUnit\\Framework { class TestCase { static function assertSame($a, $b) { if ($a !== $b) throw new \\Exception("$a $b"); } } }
namespace { require $argv[1] . '/SignerTest.php'; $n = 0; $test = new SignerTest();
foreach (SignerTest::vectors() as $case) { $test->testHash(...$case); $n++; } echo $n; }`;
      expect(Number(execFileSync(php, ['-r', run, folder], { encoding: 'utf8' }))).toBeGreaterThan(150);
    });
  });
});
