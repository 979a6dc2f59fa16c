import { globSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { parse } from 'yaml';

// The service imports JSON as bundlers allow it.
const asJson = { importAttributes: { type: 'json' } };
const hooks = registerHooks({
  load: (url, context, next) => next(url, url.endsWith('.json') ? { ...context, ...asJson } : context),
});
const { validate } = await import('@actions/languageservice');
hooks.deregister();

interface Workflow {
  readonly permissions: unknown;
  readonly jobs: Record<string, Job>;
}
interface Job {
  readonly 'runs-on': string;
  readonly 'timeout-minutes'?: number;
  readonly strategy?: { readonly matrix: { readonly os?: string[]; readonly include?: { readonly os: string }[] } };
  readonly steps: { readonly uses?: string; readonly run?: string }[];
}

const root = path.resolve(import.meta.dirname, '..');
const read = (name: string) => readFileSync(path.join(root, name), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
let asked = 0;

/** Returns what GitHub's language service finds in a workflow. It remembers each name. */
async function faultsOf(text: string) {
  const found = await validate(TextDocument.create(`file:///${++asked}/.github/workflows/a.yml`, 'yaml', 1, text));
  return found.map(({ range, message }) => ({ line: range.start.line + 1, message }));
}

describe.each(globSync('.github/workflows/*', { cwd: root }).toSorted())('the workflow %s', (file) => {
  const text = read(file);
  const { permissions, jobs } = parse(text) as Workflow;
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  it('is one that GitHub accepts', async () => {
    expect(await faultsOf(text)).toEqual([]);
  });

  it('says that it has not run here', () => {
    expect(text).toMatch(/^# This has not run yet/);
  });

  it('runs on three systems, each job for a limited time', () => {
    const systems = Object.values(jobs).flatMap(({ strategy, ...job }) => [
      job['runs-on'],
      ...(strategy?.matrix.os ?? []),
      ...(strategy?.matrix.include ?? []).map(({ os }) => os),
    ]);
    expect(new Set(systems)).toEqual(new Set(['ubuntu-latest', 'windows-latest', 'macos-latest', '${{ matrix.os }}']));
    for (const job of Object.values(jobs)) expect(job['timeout-minutes']).toBeGreaterThan(0);
  });

  it('may only read, unless a job says otherwise, and names each action by its commit', () => {
    expect(permissions).toEqual({ contents: 'read' });
    const actions = steps.flatMap(({ uses = [] }) => uses);
    expect(actions.filter((name) => !/^actions\/[a-z-]+@[0-9a-f]{40}$/.test(name))).toEqual([]);
  });

  it('runs scripts that are there', () => {
    const named = steps.flatMap(({ run = '' }) => [...run.matchAll(/\bnpm run (\S+)/g)].map(([, name = '']) => name));
    expect(named).not.toEqual([]);
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });
});

describe('the language service refuses', () => {
  const text = read('.github/workflows/release.yml');
  it.each([
    ['a field', 'timeout-minutes', 'time-minutes'],
    ['a permission', 'contents: write', 'content: write'],
    ['a job', 'needs: make', 'needs: test'],
    ['an expression', 'github.token', 'gitub.token'],
    ['an event', 'push:', 'pushed:'],
  ])('%s that it does not know', async (_, right, wrong) => {
    expect(await faultsOf(text.replace(right, wrong))).not.toEqual([]);
  });
});
