import { expect, it } from 'vitest';
import type { ImportFormat } from '#shared/ipc/index.ts';
import type { NamedFile } from './bruno.ts';
import { readFiles } from './read-files.ts';
import { createLosses } from './import-source.ts';

const address = 'https://provider.example/serviceApi.php';

/** A file of each format, by its text alone where the format allows it. */
const samples: Readonly<Record<ImportFormat, NamedFile>> = {
  curl: { name: '', text: `curl ${address} -d '{"action":"gameList"}'` },
  powershell: { name: '', text: `Invoke-WebRequest -Uri "${address}" -Method "POST" -Body "{}"` },
  fetch: { name: '', text: `fetch("${address}", { "method": "POST", "body": "{}" });` },
  postman: { name: '', text: JSON.stringify({ item: [{ name: 'a', request: { method: 'POST', url: address } }] }) },
  'postman-environment': { name: '', text: JSON.stringify({ name: 'Staging', values: [{ key: 'base', value: address }] }) },
  insomnia: { name: '', text: JSON.stringify({ _type: 'export', __export_format: 4, resources: [] }) },
  openapi: { name: '', text: JSON.stringify({ openapi: '3.1.0', info: {}, paths: {} }) },
  har: { name: '', text: JSON.stringify({ log: { entries: [] } }) },
  bruno: { name: '', text: `meta {\n  name: a\n}\n\npost {\n  url: ${address}\n}\n` },
  opencollection: { name: '', text: `info:\n  name: a\nhttp:\n  method: POST\n  url: ${address}\n` },
};

it('a folder.yml of a collection holds settings of its folder, whatever its info says, as Bruno has it', () => {
  const files = [
    { name: 'opencollection.yml', text: 'opencollection: 1.0.0\ninfo:\n  name: all\n' },
    { name: 'a/folder.yml', text: 'info:\n  name: First\n  seq: 1\ndocs: About it.\n' },
    { name: 'b/folder.yml', text: 'request:\n  variables:\n    - name: x\n      value: "1"\n' },
    { name: 'b/other.yml', text: 'services: {}\n' },
  ];
  const losses = createLosses();
  const [source] = readFiles(files, losses);
  expect(source?.folders.slice(1)).toEqual([
    { path: ['First'], variables: {}, notes: 'About it.' },
    { path: ['b'], variables: { x: '1' }, notes: '' },
  ]);
  expect(losses.all().map(({ where }) => where)).toEqual(['b/other.yml']);
});

/** Requests with a body of another kind than JSON. */
const forms: Partial<Record<ImportFormat, string>> = {
  postman: JSON.stringify({ item: [{ name: 'a', request: { method: 'POST', url: address, body: { mode: 'urlencoded' } } }] }),
  insomnia: JSON.stringify({
    _type: 'export',
    __export_format: 4,
    resources: [
      { _id: 'r', _type: 'request', name: 'a', method: 'POST', url: address, body: { mimeType: 'multipart/form-data' } },
    ],
  }),
  har: JSON.stringify({
    log: { entries: [{ request: { method: 'POST', url: address, postData: { params: [{ name: 'a', value: 'b' }] } } }] },
  }),
  bruno: samples.bruno.text.replace('  url', '  body: formUrlEncoded\n  url'),
  opencollection: `${samples.opencollection.text}  body:\n    type: form-urlencoded\n    data: []\n`,
};

it.each(Object.entries(forms))('a body that is no JSON is refused by its kind in %s', (_, text) => {
  const sources = readFiles([{ name: '', text }], createLosses());
  expect(sources.flatMap(({ requests }) => requests.map(({ unreadBody }) => unreadBody))).toEqual([
    expect.stringMatching(/^Its body (?:type is "|is a form)/),
  ]);
});

it.each(Object.entries(samples))('a file of %s is recognised', (format, file) => {
  expect(readFiles([file], createLosses()).map((source) => source.format)).toEqual([format]);
});
