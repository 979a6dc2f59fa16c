import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireTool } from './external-tools.ts';

/** ID of a case → whether its test passed. */
export type Verdicts = ReadonlyMap<string, boolean>;

/** A mistake to put into the signing code of a ready test. */
interface WrongSigner {
  readonly name: string;
  /** A part of the ready test, and what a wrong program has in its place. */
  readonly right: string;
  readonly wrong: string;
  /** Returns whether the mistake shows in the text that the rule demands. Written without the doctor's mistakes. */
  readonly shows: (dataJson: string) => boolean;
}

/** A framework that runs one of the ready tests. */
interface Framework {
  readonly name: string;
  /** Packages that have it, with their registry. */
  readonly packages: string;
  readonly file: string;
  readonly wrong: readonly WrongSigner[];
  /** Runs the ready test of a folder, as its first comment says. Throws if the framework is missing or gave no report. */
  run(folder: string, ids: readonly string[]): Verdicts;
}

const withoutStrings = (json: string) => json.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
const hasSeparator = (json: string) => /[:,]/.test(withoutStrings(json));
const hasEscape = (json: string) => /\\u(?!00[01])/.test(json);
/** Go and Gson write U+2028 escaped, as PHP does. */
const hasEscapeBut2028 = (json: string) => /\\u(?!00[01]|2028)/.test(json);

const java = [
  'junit-jupiter-api',
  'junit-jupiter-params',
  'junit-jupiter-engine',
  'junit-platform-console',
  'junit-platform-reporting',
  'opentest4j',
  'univocity-parsers',
  'jackson-core',
  'jackson-databind',
  'jackson-annotations',
  'gson',
].map((name) => `/usr/share/java/${name}.jar`);

/** All frameworks of the ready tests but xUnit: Debian has no .NET of today. */
export const frameworks: readonly Framework[] = [
  {
    name: 'PHPUnit',
    packages: 'Debian: phpunit',
    file: 'SignerTest.php',
    wrong: [
      { name: 'json_encode by default', right: 'JSON_UNESCAPED_SLASHES | ', wrong: '', shows: (json) => json.includes('/') },
      {
        name: 'JSON_UNESCAPED_UNICODE',
        right: 'JSON_UNESCAPED_SLASHES | ',
        wrong: 'JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | ',
        // It has an exception for the line separators of JavaScript.
        shows: hasEscapeBut2028,
      },
      {
        name: 'objects as arrays',
        right: 'json_encode($data,',
        wrong: 'json_encode(json_decode(json_encode($data), true),',
        shows: (json) => withoutStrings(json).includes('{}'),
      },
    ],
    run(folder) {
      const report = join(folder, 'phpunit.xml');
      execute(folder, 'phpunit', ['--log-junit', report, 'SignerTest.php']);
      return verdictsOf(casesOf(report).map((one) => [/ with data set "(.*)"$/.exec(one.name)?.[1], one.passed]));
    },
  },
  {
    name: 'Jest',
    packages: 'npm: jest',
    file: 'signer.test.js',
    wrong: [
      {
        name: 'JSON.stringify alone',
        right: ".replace(/[\\u0080-\\uffff]/g, (c) => '\\\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'))",
        wrong: '',
        shows: hasEscape,
      },
    ],
    run(folder) {
      writeFileSync(join(folder, 'package.json'), '{}');
      const report = JSON.parse(execute(folder, 'jest', ['--json', 'signer.test.js'])) as {
        readonly testResults: readonly {
          readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
        }[];
      };
      return verdictsOf(
        report.testResults.flatMap(({ assertionResults }) =>
          assertionResults.map(({ title, status }) => [title, status === 'passed']),
        ),
      );
    },
  },
  {
    name: 'pytest',
    packages: 'Debian: python3-pytest',
    file: 'test_signer.py',
    wrong: [
      { name: 'json.dumps by default', right: ", separators=(',', ':')", wrong: '', shows: hasSeparator },
      { name: 'ensure_ascii=False', right: "(',', ':'))", wrong: "(',', ':'), ensure_ascii=False)", shows: hasEscape },
      { name: 'sort_keys', right: "(',', ':'))", wrong: "(',', ':'), sort_keys=True)", shows: isUnsorted },
    ],
    run(folder) {
      const report = join(folder, 'pytest.xml');
      execute(folder, 'pytest', ['-p', 'no:cacheprovider', `--junitxml=${report}`, 'test_signer.py']);
      return verdictsOf(casesOf(report).map((one) => [/^test_hash\[(.*)\]$/.exec(one.name)?.[1], one.passed]));
    },
  },
  {
    name: 'JUnit 5',
    packages: 'Debian: default-jdk-headless junit5 libjackson2-databind-java libgoogle-gson-java',
    file: 'SignerTest.java',
    wrong: [
      {
        name: 'Jackson by default',
        right: 'c < 0x80 ? String.valueOf(c) : String.format("\\\\u%04x", (int) c)',
        wrong: 'c',
        shows: hasEscape,
      },
      {
        name: 'Gson by default',
        right: 'for (char c : JSON.writeValueAsString(data).toCharArray()) {',
        wrong:
          'text.append(new com.google.gson.Gson().toJson(com.google.gson.JsonParser.parseString(data.toString())));\n' +
          '      for (char c : new char[0]) {',
        shows: (json) => hasEscapeBut2028(json) || /[<>&='\u007f]/.test(json) || /:null\b/.test(withoutStrings(json)),
      },
    ],
    run(folder) {
      const missing = java.filter((jar) => !existsSync(jar));
      if (missing.length > 0) throw new Error(`${missing.join(' ')} not found`);
      const [classes, reports] = [join(folder, 'classes'), join(folder, 'reports')];
      mkdirSync(classes);
      execute(folder, 'javac', ['-cp', java.join(':'), '-d', classes, 'SignerTest.java']);
      const launcher = ['org.junit.platform.console.ConsoleLauncher', '-c', 'SignerTest', '--details', 'none'];
      execute(folder, 'java', ['-cp', [...java, classes].join(':'), ...launcher, '--reports-dir', reports]);
      const cases = casesOf(join(reports, 'TEST-junit-jupiter.xml'));
      return verdictsOf(cases.map((one) => [/^display-name: (.*)$/m.exec(one.body)?.[1], one.passed]));
    },
  },
  {
    name: 'Go',
    packages: 'Debian: golang-go',
    file: 'signer_test.go',
    wrong: [
      {
        name: 'json.Marshal by default',
        right: 'sum := sha256',
        wrong: 'if len(data) > 0 {\n\t\tmarshalled, _ := json.Marshal(data)\n\t\ttext = string(marshalled)\n\t}\n\tsum := sha256',
        shows: (json) => hasEscapeBut2028(json) || /[<>&]/.test(json),
      },
    ],
    run(folder, ids) {
      // It writes names of tests with underscores in place of spaces.
      const names = new Map(ids.map((id) => [`TestHash/${id.replaceAll(' ', '_')}`, id]));
      const events = execute(folder, 'go', ['test', '-json', 'signer_test.go'])
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as { readonly Action: string; readonly Test?: string });
      return verdictsOf(
        events.flatMap(({ Action: action, Test: test = '' }) =>
          test.includes('/') && (action === 'pass' || action === 'fail') ? [[names.get(test) ?? test, action === 'pass']] : [],
        ),
      );
    },
  },
];

/** Returns whether members of an object in the text, which has no numbers as names, are in another order than that of their names. */
function isUnsorted(json: string): boolean {
  let unsorted = false;
  JSON.parse(json, (_, value: unknown) => {
    const names = value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.keys(value) : [];
    unsorted ||= names.join('\n') !== names.toSorted().join('\n');
    return value;
  });
  return unsorted;
}

/** Runs a program in a folder and returns what it printed. A framework ends with another status than 0 if a test failed. */
function execute(folder: string, tool: string, args: readonly string[]): string {
  const { stdout, stderr, error } = spawnSync(requireTool(tool), args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (error !== undefined) throw error;
  if (tool === 'javac' && stderr !== '') throw new Error(stderr);
  return stdout;
}

interface ReportedCase {
  readonly name: string;
  readonly passed: boolean;
  readonly body: string;
}

/** Reads the test cases of a JUnit XML report. */
function casesOf(report: string): ReportedCase[] {
  const xml = readFileSync(report, 'utf8');
  return Array.from(xml.matchAll(/<testcase ([^>]*?)(?:\/>|>(.*?)<\/testcase>)/gs), ([, attributes = '', body = '']) => ({
    name: (/\bname="([^"]*)"/.exec(attributes)?.[1] ?? '').replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
    passed: !/<(?:failure|error|skipped)\b/.test(body),
    body,
  }));
}

function verdictsOf(entries: readonly (readonly [id: string | undefined, passed: boolean])[]): Verdicts {
  return new Map(entries.map(([id = '', passed]) => [id, passed]));
}
