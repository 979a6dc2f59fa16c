import { expect, it } from 'vitest';
import type { Fidelity } from '#shared/ipc/index.ts';
import { describeWithTool } from '#testing/external-tools.ts';
import { showForms, type FormTool } from '#testing/pasted-forms/live-forms.ts';
import { recognise } from './recognise.ts';

/** The data of a backend that escapes slashes and other characters: what a form must keep, or is known to lose. */
const sent = String.raw`{"gameMode":"real","gameId":"1042","lang":"en","externalToken":"aGVs+bG8/dG9rZW4=","playerId":"Jos\u00e9","country":"DE","ip":"203.0.113.9","exitURL":"https:\/\/l.example\/x?a=1&b=it's"}`;
/** The same as a program writes it that had only the values. */
const rewritten = String.raw`{"gameMode":"real","gameId":"1042","lang":"en","externalToken":"aGVs+bG8/dG9rZW4=","playerId":"José","country":"DE","ip":"203.0.113.9","exitURL":"https://l.example/x?a=1&b=it's"}`;
const sorted = `{${[...rewritten.matchAll(/"\w+":"[^"]*"/g)]
  .map(([field]) => field)
  .sort()
  .join(',')}}`;
const hash = '5d0c7be19f02c8a4716be35d90f8127c3a4b5e6d7f8091a2b3c4d5e6f7e07b12';
const body = `{"action":"getLauncherURL","platform":7,"partnerId":11,"time":"22-11-2026 10:40:02","data":${sent},"hash":"${hash}"}`;

type Expected = readonly [layers: readonly string[], fidelity: Fidelity, dataText: string | null];

const exact = (...layers: string[]): Expected => [layers, 'exact', sent];
const reencoded = (...layers: string[]): Expected => [layers, 'reencoded', rewritten];
const lossy = (...layers: string[]): Expected => [layers, 'lossy', rewritten];

const expected: Readonly<Record<FormTool, Readonly<Record<string, Expected>>>> = {
  php: {
    'json_encode of a record': exact('log line', 'JSON inside JSON'),
    'json_encode twice': exact('quoted string'),
    var_export: reencoded('PHP var_export'),
    'var_export of objects': reencoded('PHP var_export'),
    'var_export of the text': exact('PHP var_export'),
    print_r: lossy('PHP print_r'),
    'print_r of objects': lossy('PHP print_r'),
    'print_r of the text': exact('PHP print_r'),
    var_dump: reencoded('PHP var_dump'),
    'var_dump of objects': reencoded('PHP var_dump'),
    'var_dump of the text': exact('PHP var_dump'),
    urlencode: exact('URL encoding'),
    rawurlencode: exact('URL encoding'),
    htmlspecialchars: exact('HTML escapes'),
    base64_encode: exact('Base64'),
    addcslashes: exact('quoted string'),
    serialize: exact('PHP serialize'),
    fputcsv: exact('CSV field'),
  },
  python3: {
    'repr of a dict': reencoded('Python repr'),
    'repr of the text': exact('quoted string'),
    'repr of bytes': exact('Python bytes'),
    'repr of a dict with the text': exact('Python repr'),
    pprint: reencoded('Python repr'),
    'a dataclass': reencoded('Python repr'),
    logging: reencoded('log line', 'Python repr'),
    'json.dumps of a record': exact('log line', 'JSON inside JSON'),
    'json.dumps of objects': [
      ['log line', 'object inside JSON'],
      'reencoded',
      rewritten
        .replaceAll('","', '", "')
        .replaceAll('":"', '": "')
        .replace('é', String.raw`\u00e9`),
    ],
    csv: exact('CSV field'),
    'html.escape': exact('HTML escapes'),
    quote_plus: exact('URL encoding'),
    'base64 in lines': exact('Base64'),
    'shlex.quote': exact('curl command'),
  },
  node: {
    'util.inspect': lossy('Node inspect'),
    'util.inspect of a class': lossy('Node inspect'),
    'util.inspect in one line': lossy('Node inspect'),
    'console.log of nested objects': [['Node inspect'], 'lossy', null],
    'console.log of the text': exact('Node inspect'),
    'console.log with a label': exact(),
    'JSON.stringify of a record': exact('log line', 'JSON inside JSON'),
    'JSON.stringify of objects': reencoded('log line', 'object inside JSON'),
    'JSON.stringify twice': exact('Docker log', 'log line', 'JSON inside JSON'),
    'JSON.stringify pretty': exact('JSON inside JSON'),
    encodeURIComponent: exact('URL encoding'),
    'encodeURIComponent twice': exact('URL encoding'),
    'Buffer as hexadecimal digits': exact('hexadecimal digits'),
    'bytes of a journal': exact('journal entry'),
  },
  perl: {
    'Data::Dumper': [['Perl Data::Dumper'], 'lossy', sorted],
    'Data::Dumper in one line': [['Perl Data::Dumper'], 'lossy', sorted],
    'Data::Dumper of the text': exact('Perl Data::Dumper'),
  },
  bash: {
    'printf %q': exact('shell quoting'),
    od: exact('hex dump'),
  },
  jq: {
    'jq -c': reencoded('log line', 'object inside JSON'),
    'jq -R': exact('log line', 'JSON inside JSON'),
    'jq @uri': exact('URL encoding'),
    'jq @csv': exact('CSV field'),
    'jq @html': exact('HTML escapes'),
    'jq @sh': exact('shell quoting'),
  },
};

for (const [tool, forms] of Object.entries(expected) as [FormTool, (typeof expected)[FormTool]][]) {
  describeWithTool(tool, `what ${tool} shows of a request`, () => {
    const shown = showForms(tool, body);

    it('has a row for each form', () => {
      expect([...shown.keys()].sort()).toEqual(Object.keys(forms).sort());
    });

    it.each(Object.entries(forms))('is recognised: %s', (form, [layers, fidelity, dataText]) => {
      const { requests, problem } = recognise(shown.get(form) ?? '');
      const [request] = requests;
      expect(problem).toBeNull();
      expect(request).toMatchObject({ layers, fidelity, action: 'getLauncherURL', operations: ['getLauncherURL'], hash });
      expect(request).toMatchObject({ platform: '7', partnerId: '11', time: '22-11-2026 10:40:02', currency: null, code: null });
      expect(request?.dataText).toBe(dataText);
      expect(request?.missing).toEqual(dataText === null ? ['data'] : []);
      expect(request?.envelopeText).toBe(fidelity === 'exact' ? body : null);
    });
  });
}
