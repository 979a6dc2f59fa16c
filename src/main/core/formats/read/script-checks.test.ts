import { chai, describe, expect, it } from 'vitest';
import { runInNewContext } from 'node:vm';
import type { Expectation } from '#shared/collections/model.ts';
import type { Call } from '#shared/ipc/index.ts';
import { operationByName, validateResponse } from '#shared/provider/index.ts';
import { createChecks } from '../../collections/checks/checks.ts';
import { createTimeLimit } from '../../collections/checks/time-limit.ts';
import { createLosses } from './import-source.ts';
import { readScriptChecks } from './script-checks.ts';
import { createNames } from './variable-names.ts';

const checks = createChecks();

/** Returns whether every check passes, as the workbench judges. */
function passes(expectations: readonly Expectation[], body: string): boolean {
  const { code } = validateResponse(operationByName('bet'), body);
  const call = {
    operation: 'bet',
    status: 200,
    code,
    durationMs: 50,
    failure: null,
    findings: [],
    response: { truncated: false },
  };
  const answer = checks.responseOf(call as unknown as Call, body, createTimeLimit(1_000), null);
  const options = { mask: null, substitute: (text: string) => ({ ok: true, text }) as const };
  return checks.evaluate(expectations, call as unknown as Call, answer, options).every(({ passed }) => passed);
}

/** Returns whether a script passes, with the parts of Postman and Bruno that it uses, and the assertions of Chai. */
function runs(script: string, body: string): boolean {
  let passed = true;
  const test = (_: string, work: () => void) => {
    try {
      work();
    } catch {
      passed = false;
    }
  };
  const tests: Record<string, unknown> = {};
  const json = () => JSON.parse(body) as Record<string, unknown>;
  const to = {
    have: {
      status: (code: number) => chai.expect(200).to.equal(code),
      jsonBody: (name: string) => chai.expect(json()).to.have.nested.property(name),
    },
  };
  const response = { code: 200, responseTime: 50, json, text: () => body, to };
  const res = { status: 200, body: json(), getStatus: () => 200, getBody: json };
  test('', () =>
    runInNewContext(script, {
      pm: { test, expect: chai.expect, response },
      test,
      tests,
      res,
      expect: chai.expect,
      responseCode: { code: 200 },
      responseTime: 50,
      responseBody: body,
      JSON,
    }));
  return passed && Object.values(tests).every(Boolean);
}

const read = (script: string) => readScriptChecks(script, createNames(createLosses(), 'x', 'Postman'));

/** As Postman's documentation, its snippets and Bruno's documentation write them. */
const idioms: readonly [script: string, checks: readonly Expectation[]][] = [
  ['pm.test("Status code is 200", function () {\n    pm.response.to.have.status(200);\n});', [{ status: '200' }]],
  ['pm.test("ok", () => pm.expect(pm.response.code).to.equal(200))', [{ status: '200' }]],
  ['test("ok", () => { expect(res.getStatus()).to.equal(200); });', [{ status: '200' }]],
  ['tests["the name"] = responseBody.has("a");', []],
  ['tests["Status code is 200"] = responseCode.code === 200;', [{ status: '200' }]],
  ['pm.test("fast", function () { pm.expect(pm.response.responseTime).to.be.below(200); });', [{ withinMs: '200' }]],
  ['tests["fast"] = responseTime <= 500', [{ withinMs: '500' }]],
  ['var jsonData = JSON.parse(responseBody);\ntests["x"] = jsonData.code === 0;', [{ code: '0' }]],
  ['const json = pm.response.json();\npm.test("code", () => { pm.expect(json.code).to.eql(0) })', [{ code: '0' }]],
  ['pm.test("x", () => { const { } = 1 })', []],
  ['pm.expect(pm.response.json().x).to.eql("a")', [{ path: '/x', equals: 'a' }]],
  ['pm.expect(pm.response.json()["x"]).to.eql("5")', [{ path: '/x', type: 'string', equals: '5' }]],
  ['pm.expect(pm.response.json().x).to.be.true', [{ path: '/x', type: 'boolean', equals: 'true' }]],
  ['expect(res.body.x).to.be.null', [{ path: '/x', type: 'null' }]],
  ['expect(res.body.x).to.not.be.undefined', [{ path: '/x', present: true }]],
  ['expect(res.body).to.have.property("x")', [{ path: '/x', present: true }]],
  ['expect(res.body).to.not.have.property("x")', [{ path: '/x', present: false }]],
  ['expect(res.body).to.have.property("x", 5)', [{ path: '/x', type: 'number', equals: '5' }]],
  [
    'expect(res.body).to.have.property("x").that.is.a("string")',
    [
      { path: '/x', present: true },
      { path: '/x', type: 'string' },
    ],
  ],
  [
    'expect(res.body.x).to.be.an("array").and.have.lengthOf(2)',
    [
      { path: '/x', type: 'array' },
      { path: '/x', count: '2' },
    ],
  ],
  ['expect(res.body.x).to.be.above(3)', [{ path: '/x', type: 'number', above: '3' }]],
  ['expect(res.body.x).to.be.at.least(5)', [{ path: '/x', type: 'number', atLeast: '5' }]],
  ['expect(res.body.x).to.be.within(1, 5)', [{ path: '/x', type: 'number', atLeast: '1', atMost: '5' }]],
  ['expect(res.body.x).to.include("a")', [{ path: '/x', contains: 'a' }]],
  ['expect(res.body.x).to.match(/^[a-z]{1,3}$/)', [{ path: '/x', matches: '^[a-z]{1,3}$' }]],
  ['expect(res.body.x).to.eql({"k": [1]})', [{ path: '/x', equals: '{"k": [1]}' }]],
  ['pm.expect(pm.response.json().x[0].id).to.eql(7)', [{ path: '/x/0/id', type: 'number', equals: '7' }]],
  ['pm.response.to.have.jsonBody("x")', [{ path: '/x', present: true }]],
];

const values = [
  '5',
  '"5"',
  '"a"',
  '"abcd"',
  '0',
  'true',
  '"true"',
  'null',
  '[]',
  '[1,2]',
  '["a"]',
  '{}',
  '{"k":[1]}',
  '[{"id":7}]',
  '4.5',
  '-1',
];

describe('tests of other tools', () => {
  it.each(idioms)('%s', (script, checks) => {
    const found = read(script);
    expect(found.expect).toEqual(checks);
    if (checks.length > 0) expect(found.others).toEqual([]);
    else expect(found.others).not.toEqual([]);
  });

  it('judge as they did: no check of ours passes where the test fails, and the other way around', () => {
    const bodies = [...values.map((value) => `{"code": ${value}, "x": ${value}}`), '{}', '{"code": 0, "x": "a"}'];
    for (const [script, checks] of idioms) {
      if (checks.length === 0) continue;
      for (const body of bodies) {
        const [ours, theirs] = [passes(checks, body), runs(script, body)];
        // Chai takes a list for its text there.
        if (script.includes('match(') && !ours) continue;
        expect(ours, `${script} of ${body}`).toBe(theirs);
      }
    }
  });

  it('set variables from the response', () => {
    const script = `const body = pm.response.json();
      pm.environment.set("token", body.data.token);
      pm.collectionVariables.set('first', body.items[0].id); bru.setVar("status", res.body.state)
      pm.environment.set("now", Date.now());`;
    expect(read(script)).toMatchObject({
      take: { token: '/data/token', first: '/items/0/id', status: '/state' },
      others: ['pm.environment.set("now", Date.now());'],
    });
  });

  it('compare with variables', () => {
    expect(read('pm.expect(pm.response.json().id).to.eql(pm.environment.get("id"))').expect).toEqual([
      { path: '/id', equals: '{{id}}' },
    ]);
  });

  it.each([
    'if (pm.response.code === 200) { pm.expect(1).to.eql(1); }',
    'for (const x of pm.response.json().items) { pm.expect(x.id).to.be.a("number"); }',
    'pm.expect(pm.response.json().x).to.be.oneOf([1, 2]);',
    'pm.expect(pm.response.json().x).to.not.match(/a/);',
    'pm.expect(pm.response.json().x).to.match(/a/i);',
    'pm.expect(pm.response.headers.get("Content-Type")).to.eql("application/json");',
    'pm.expect(pm.response.json().x).to.eql(a + b);',
    'pm.response.to.be.ok;',
    'eval(`${x}`)',
    'a = "unfinished',
    '} else {',
    `${'('.repeat(5_000)}`,
    `a${'.b'.repeat(9_000)}`,
    `x = ${'1 +'.repeat(15_000)} 1`,
  ])('are kept where they say more: %s', (script) => {
    const found = read(script);
    expect(found.expect).toEqual([]);
    expect(found.others.join(' ')).toContain(script.slice(0, 3).trim());
  });

  it('are read from where JavaScript begins again, with what was declared before', () => {
    const found = read('const body = res.body;\nif (\n  x\n};\nexpect(body.a).to.eql("b");');
    expect(found).toMatchObject({ expect: [{ path: '/a', equals: 'b' }], others: ['if (\n  x\n};'] });
  });

  it('keep what follows a statement that is not known', () => {
    const found = read(
      `pm.test("all", function () {\n  pm.response.to.be.ok;\n  pm.response.to.have.status(200)\n});\nconsole.log("x")`,
    );
    expect(found).toMatchObject({ expect: [{ status: '200' }], others: ['all: pm.response.to.be.ok;', 'console.log("x")'] });
  });
});
