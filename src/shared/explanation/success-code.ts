import { unreadFinding } from '../provider/findings.ts';
import type { Operation } from '../provider/model.ts';
import { compareLaunchResponse, type LaunchUrlComparison } from '../provider/launcher-url.ts';
import type { Evidence, Explanation, ExplanationAction } from './explanation.ts';
import { reasonOf } from './provider-reason.ts';
import { code, say, type Words } from './sentence.ts';

/** Longer responses hold no launcher URL that a game could open. */
const longestLaunch = 65_536;

/** Explains code 0: compares a launcher URL with its request, and shows findings and the built-in provider's remarks. */
export function explainSuccess({ call, responseText }: Evidence): Explanation | null {
  const launch =
    call.operation === 'getLauncherURL' &&
    call.maskedParts === undefined &&
    responseText !== null &&
    responseText.length < longestLaunch
      ? compareLaunchResponse(call.request.bodyText, responseText)
      : null;
  if (launch !== null) return explainLaunch(launch);
  const severe = call.findings.filter(({ severity, rule }) => severity !== 'note' && rule !== 'duplicate-key');
  const reason = reasonOf(call);
  const [first, ...rest] = severe;
  if (first !== undefined) {
    const more = rest.length === 0 ? [] : [say`${rest.length} more ${rest.length === 1 ? 'finding' : 'findings'}.`];
    return {
      tone: 'warn',
      title: say`Accepted. ${first.message}`,
      facts: [...(reason === null ? [] : [[reason.why]]), ...more],
      steps: [],
      links: [{ kind: 'openFindings' }],
    };
  }
  return reason === null ? null : { tone: 'note', title: [reason.why], facts: [], steps: [], links: [] };
}

function explainLaunch({ url, parameters, checks }: LaunchUrlComparison): Explanation {
  const failed = checks.filter(({ passed }) => !passed);
  const links: ExplanationAction[] = [{ kind: 'openLauncher' }, { kind: 'copyUrl', url }];
  if (failed.length === 0) {
    const present = checks.find(({ rule }) => rule === 'present')?.message ?? '';
    return {
      tone: 'good',
      title: say`The launcher URL matches the request: ${present}.`,
      facts: [],
      steps: [],
      links,
    };
  }
  const off = parameters.filter(({ state }) => state !== 'equal');
  // A parameter's own fact says more than the check that names it.
  const others = off.length === 0 ? failed : failed.filter(({ rule }) => rule === 'https' || rule === 'encoding');
  const words = others.map(({ message }) => say`${message.replace(/\.$/, '')}.`);
  const [title = say`The launcher URL differs from the request.`, ...facts] = [...off.map(parameterWords), ...words];
  return { tone: 'warn', title, facts, steps: [], links };
}

function parameterWords({ name, state, requested, returned }: LaunchUrlComparison['parameters'][number]): Words {
  const of = say`${code(name)} of the launcher URL`;
  switch (state) {
    case 'missing':
      return say`The launcher URL has no ${code(name)}; this call sent ${shown(requested)}.`;
    case 'duplicated':
      return say`${of} occurs more than once: ${shown(returned)}.`;
    case 'malformed':
      return say`${of} is ${shown(returned)}, which isn't in the documented form.`;
    case 'unexpected':
      return name === 'externalToken'
        ? say`The launcher URL has ${code(name)} in fun mode.`
        : say`The launcher URL has ${code(name)} ${shown(returned)}, which isn't documented.`;
    case 'equal':
    case 'different':
      return say`${of} is ${shown(returned)}; this call sent ${shown(requested)}.`;
  }
}

function shown(text: string | null): Words {
  if (text === null) return ['nothing'];
  return text === '' ? ['an empty string'] : [code(text)];
}

/** Explains a response without a code. One to plain JSON may have none: the spec shows none in a player or a transaction. */
export function explainWithoutCode({ call }: Evidence, { endpoint }: Pick<Operation, 'endpoint'>): Explanation | null {
  const unread = unreadFinding(call.findings);
  if (unread !== null) {
    const facts = [say`HTTP ${String(call.status ?? '')} from ${code(call.url)}.`];
    return { tone: 'note', title: [unread.message], facts, steps: [], links: [] };
  }
  const type = call.response?.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1].trim() ?? null;
  const broken = call.findings.find(({ rule }) => rule === 'json' || rule === 'answer.utf8');
  const status = call.findings.find(({ rule }) => rule === 'answer.status' || rule === 'answer.redirect');
  const acting = call.findings.find(({ rule }) => rule === 'answer.acting');
  if (call.request.hashInput === null && broken === undefined && status === undefined) return null;
  const first = status ?? broken;
  const typed = type === null ? [] : [say`Its content type is ${code(type)}.`];
  const wanders = status === undefined || call.status === 404 || call.status === 405 || status.rule === 'answer.redirect';
  const where = endpoint === 'wallet' ? 'wallet URL' : 'base URL';
  return {
    tone: 'warn',
    title: first === undefined ? say`The response has no integer code.` : [first.message],
    facts: [
      ...(acting === undefined ? [] : [[acting.message]]),
      ...(broken === undefined || broken === first ? [] : [[broken.message]]),
      ...(broken === undefined ? [] : typed),
      say`HTTP ${String(call.status ?? '')} from ${code(call.url)}.`,
    ],
    steps: wanders
      ? [
          {
            text: say`Check the ${where}, and whether a proxy or a login page answered instead.`,
            action: { kind: 'openEnvironment' },
          },
        ]
      : [],
    links: call.findings.length > 0 ? [{ kind: 'openFindings' }] : [],
  };
}
