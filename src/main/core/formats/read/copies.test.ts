import { execFileSync } from 'node:child_process';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { describeWithTool } from '#testing/external-tools.ts';
import { createLosses } from './import-source.ts';
import { planFiles } from './plan-import.ts';
import { readFiles } from './read-files.ts';
import { splitShell } from './shell-words.ts';

const url = 'https://api.example.com/serviceApi.php';
const body =
  '{"action":"getGameRound","platform":7,"partnerId":31,"data":{"note":"zażółć 😀 \'x\' `y` $HOME \\"q\\" 50%A {{b}} \\\\/"},"time":"t","hash":"h"}';

function read(text: string) {
  const losses = createLosses();
  const [source] = readFiles([{ name: 'x', text }], losses);
  return { requests: source?.requests ?? [], losses: losses.all() };
}

/** As Chrome copies for PowerShell (its developer tools' `NetworkLogView`). */
const forPowerShell = (text: string) =>
  `"${text.replace(/[`$"]/g, '`$&').replace(/[^\x20-\x7e]/g, (unit) => `$([char]${unit.charCodeAt(0)})`)}"`;

describe('what developer tools copy', () => {
  it('of fetch is read as JavaScript reads it', () => {
    const text = `await fetch(${JSON.stringify(url)}, {
  "headers": { "content-type": "application/json", "sec-ch-ua-platform": "\\"Linux\\"" },
  "body": ${JSON.stringify(body)},
  "method": "POST",
  "mode": "cors"
}); ;
fetch("https://x.example/", { method: "GET" })`;
    const { requests, losses } = read(text);
    const sent: unknown[] = [];
    runInNewContext(text.replaceAll('await ', ''), {
      fetch: (to: string, { body: own }: { body?: string }) => sent.push([to, own]),
    });
    expect([requests[0]?.address, requests[0]?.rawBody]).toEqual(sent[0]);
    expect(requests[0]?.losses.map(({ what }) => what)).toEqual([
      'the header content-type',
      'the header sec-ch-ua-platform',
      'mode',
    ]);
    expect(losses.map(({ what }) => what)).toEqual(['the statement fetch("https://x.example/", { method: "GET" })']);
  });

  it.each([
    forPowerShell(body),
    `'${body.replaceAll("'", "''")}'`,
    `([System.Text.Encoding]::UTF8.GetBytes(${forPowerShell(body)}))`,
  ])('of PowerShell is read: %s', (written) => {
    const text = `$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession
$answer = Invoke-WebRequest -UseBasicParsing -Uri ${forPowerShell(url)} \`
-Method "POST" \`
-WebSession $session \`
-Headers @{
"accept"="*/*"
  "x-it"="Invoke-RestMethod "
} \`
-ContentType "application/json" \`
-Body ${written}
`;
    const { requests, losses } = read(text);
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ method: 'POST', address: url, rawBody: body, at: 'line 2' });
    expect(requests[0]?.losses.map(({ what }) => what)).toEqual([
      'the parameter -websession',
      'the header accept',
      'the header x-it',
    ]);
    expect(losses.map(({ what }) => what)).toEqual(['the text before the command']);
  });

  it('of PowerShell with a variable is refused, not guessed', () => {
    const { requests } = read(`Invoke-RestMethod ${url} -Method Post -Body "{""id"": $id}"`);
    expect(requests[0]).toMatchObject({ body: null, unreadBody: expect.stringContaining('variable') });
  });

  it('for the command prompt is read, with its lines', () => {
    const text = `curl ^"${url}^" ^\r\n  -H ^"accept: */*^" ^\r\n  --data-raw ^"^{^\\^"action^\\^":^\\^"gameList^\\^",^\\^"a^\\^":^\\^"50^%^\\^"^}^"\r\ncurl ^"${url}^" -d 1`;
    const { requests } = read(text);
    expect(requests.map(({ at, rawBody }) => [at, rawBody])).toEqual([
      ['line 1', '{"action":"gameList","a":"50%"}'],
      ['line 4', '1'],
    ]);
  });

  it('becomes a request of a collection', () => {
    const text = `fetch("${url}", {"body": ${JSON.stringify(body)}, "method": "POST"});`;
    const { plan } = planFiles({ files: [{ name: 'x', text }], target: { folder: '', names: [] }, environments: [] });
    expect(plan.requests[0]?.request).toMatchObject({
      operation: 'getGameRound',
      data: expect.stringContaining('{{$braces}}b}}'),
    });
  });
});

describeWithTool('bash', 'here-documents', () => {
  it.each([
    `curl ${url} --data-binary @- <<EOF\n{"a": "\\$x \\\\ \\" \\n",\n "b": 'c'}\nEOF\n`,
    `curl ${url} --data-binary @- <<'EOF'\n{"a": "$x \\ \`y\`"}\nEOF`,
    `curl ${url} --data-binary @- <<-EOF; true\n\t{"a":\t1}\n\tEOF\n`,
    `curl ${url} --data-binary @- <<A <<B\nx\nA\n{"b": 2}\nB\n`,
    `curl ${url} --data-binary @- <<< '{"a": 1}'`,
  ])('are read as bash gives them: %j', (text) => {
    const given = execFileSync('bash', ['-c', `curl() { cat; }\n${text}`], { encoding: 'utf8' });
    expect(read(text).requests.map(({ rawBody }) => rawBody)).toEqual([given]);
  });

  it('lose the ends of their lines without --data-binary, as in curl', () => {
    expect(read(`curl ${url} -d @- <<EOF\n{"a":\n1}\nEOF`).requests[0]?.rawBody).toBe('{"a":1}');
  });

  it('may hold variables of the shell', () => {
    const [one] = read(`curl ${url} --json @- <<EOF\n{"a": "$token"}\nEOF`).requests;
    expect(one).toMatchObject({ body: '{"a": "{{token}}"}\n', rawBody: null });
    expect(() => splitShell('a <<EOF\nb')).toThrow(expect.objectContaining({ details: { offset: 4 } }));
  });
});
