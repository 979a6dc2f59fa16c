import { expect, it } from 'vitest';
import { planFiles } from './plan-import.ts';

const resource = (id: string, type: string, parentId: string | null, more: object) => ({
  _id: id,
  _type: type,
  parentId,
  ...more,
});

it('an export of Insomnia 4 is read in its order, with its folders, variables and tests', () => {
  const resources = [
    resource('r2', 'request', 'g1', {
      name: 'second',
      metaSortKey: 2,
      method: 'POST',
      url: '{{ _.base.url }}/bet',
      body: {
        mimeType: 'application/json',
        text: '{"externalToken": "{{ _.token }}", "id": "{% uuid \'v4\' %}", "amount": 0.10}',
      },
      afterResponseScript:
        'insomnia.test("ok", () => { insomnia.response.to.have.status(200); });\ninsomnia.environment.set("b", insomnia.response.json().balance);',
      headers: [{ name: 'X-A', value: '1' }],
    }),
    resource('r1', 'request', 'g1', {
      name: 'first',
      metaSortKey: 1,
      method: 'POST',
      url: '{{ _.base.url }}/playerInfo',
      body: { text: '{"externalToken": "t{% now %}"}' },
    }),
    resource('r0', 'request', 'g1', {
      name: 'info',
      metaSortKey: 1.5,
      method: 'POST',
      url: 'https://w.example/playerInfo',
      body: { text: '{"externalToken": "x"}' },
    }),
    resource('g1', 'request_group', 'w', { name: 'Wallet', description: 'About it.', environment: { stake: 1.5 } }),
    resource('w', 'workspace', null, { name: 'All', description: 'Notes.' }),
    resource('e', 'environment', 'w', { name: 'Base', data: { base: { url: 'https://w.example' }, privateKey: 'k', n: 0.1 } }),
    resource('e2', 'environment', 'e', { name: 'Staging', data: { n: 2 } }),
  ];
  const text = JSON.stringify({ _type: 'export', __export_format: 4, resources });
  const { plan } = planFiles({ files: [{ name: 'x.json', text }], target: { folder: '', names: [] }, environments: [] });
  expect(plan.requests.map(({ path }) => path)).toEqual(['Wallet/info.yaml', 'Wallet/second.yaml']);
  expect(plan.requests[1]?.request).toMatchObject({
    operation: 'bet',
    data: '{"externalToken": "{{token}}", "id": "{{$uniqueId}}", "amount": 0.10}',
    expect: [{ status: '200' }],
    take: { b: '/balance' },
  });
  expect(plan.variables).toEqual({ 'base.url': 'https://w.example', n: '0.1' });
  expect(plan.folders).toEqual([{ path: 'Wallet', variables: { stake: '1.5' }, notes: 'About it.' }]);
  expect(plan.notes).toBe('Notes.');
  const named = plan.notCarried.map(({ what, why }) => `${what} ${why}`).join('\n');
  for (const part of ['template tag now', 'the variable privateKey', 'the environment Staging', 'the header X-A'])
    expect(named).toContain(part);
});

it('a file of Insomnia 5 is read as its older exports are', () => {
  const text = `type: collection.insomnia.rest/5.0
name: All
meta:
  id: wrk_1
  description: Notes.
collection:
  - name: Wallet
    meta:
      id: fld_1
      sortKey: -1
      description: About it.
    environment:
      stake: 1.50
    children:
      - url: "{{ _.base.url }}/bet"
        name: second
        meta:
          id: req_2
          sortKey: 2
        method: POST
        body:
          mimeType: application/json
          text: |-
            {
              "externalToken": "{{ _.token }}",
              "id": "{% uuid 'v4' %}", "amount": 0.10
            }
        headers:
          - name: X-A
            value: "1"
        scripts:
          afterResponse: |-
            insomnia.test("ok", () => { insomnia.response.to.have.status(200); });
            insomnia.environment.set("b", insomnia.response.json().balance);
      - url: https://w.example/playerInfo
        name: first
        meta:
          id: req_1
          sortKey: 1
        method: POST
        body:
          text: '{"externalToken": "x"}'
cookieJar:
  name: Default Jar
environments:
  name: Base
  data:
    base:
      url: https://w.example
    privateKey: k
    n: 0.10
  subEnvironments:
    - name: Staging
      data:
        n: 2
`;
  const { plan } = planFiles({ files: [{ name: 'x.yaml', text }], target: { folder: '', names: [] }, environments: [] });
  expect(plan.requests.map(({ path }) => path)).toEqual(['Wallet/first.yaml', 'Wallet/second.yaml']);
  expect(plan.requests[1]?.request).toMatchObject({
    operation: 'bet',
    data: '{\n  "externalToken": "{{token}}",\n  "id": "{{$uniqueId}}", "amount": 0.10\n}',
    expect: [{ status: '200' }],
    take: { b: '/balance' },
  });
  expect(plan.variables).toEqual({ 'base.url': 'https://w.example', n: '0.10' });
  expect(plan.folders).toEqual([{ path: 'Wallet', variables: { stake: '1.50' }, notes: 'About it.' }]);
  expect(plan.notes).toBe('Notes.');
  const named = plan.notCarried.map(({ what }) => what).join('\n');
  for (const part of ['the variable privateKey', 'the environment Staging', 'the header X-A', 'cookieJar'])
    expect(named).toContain(part);
});
