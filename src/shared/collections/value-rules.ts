import { parseJson, type JsonNode } from '../json/parse.ts';
import { pointerSteps } from '../json/pointer.ts';
import type { Finding } from '../model/finding.ts';
import type { Answers } from '../provider/model.ts';
import { isTokenName } from '../provider/tokens.ts';
import { answerPath, mostOfValue, variableName } from './file-limits.ts';
import type { Expectation } from './model.ts';

/**
 * Returns the check that a value of a response is as it came: of a number every digit, of an object or a list its type and size. A session
 * token stays out of files: its check demands a string. Null if the path is too long for a file.
 */
export function checkOfValue(node: JsonNode, path: string, answers: Answers): Expectation | null {
  if (path.length > answerPath.most) return null;
  if (path === '/code' && node.kind === 'number') return { code: node.text };
  if (node.kind === 'object') return { path, type: 'object' };
  if (node.kind === 'array') return { path, type: 'array', count: String(node.items.length) };
  if (isSecretPath(path, answers)) return { path, type: node.kind === 'string' ? 'string' : 'number' };
  const value = node.kind === 'string' ? node.value : node.kind === 'number' ? node.text : node.kind;
  const literal = value.replaceAll('{{', '{{$braces}}');
  if (literal.length > mostOfValue) return { path, type: 'string' };
  return { path, equals: literal };
}

/** Path of a player's balance (spec, Wallet transaction). */
const balance = '/balance';

/** A call whose response was read. */
interface ReadCall {
  readonly code: number | null;
  readonly status: number | null;
  readonly findings: readonly Pick<Finding, 'rule' | 'severity'>[];
}

/**
 * Returns the checks that the next response is as that of a call: its code or its status, the documented shape if it has that and the spec shows one,
 * and a balance, which becomes a variable for what is sent next.
 */
export function checksOfCall({ code, status, findings }: ReadCall, body: string) {
  const expect: Expectation[] = [code === null ? { status: String(status) } : { code: String(code) }];
  // The gateway's own findings are about the request.
  const isOther = findings.some(
    ({ rule, severity }) => !rule.startsWith('gateway.') && (severity !== 'note' || rule === 'shape-not-shown'),
  );
  if (!isOther && (code ?? 0) === 0) expect.push({ shape: 'documented' });
  const parsed = parseJson(body);
  const members = parsed.ok && parsed.root.kind === 'object' ? parsed.root.members : [];
  const hasBalance = members.some(({ key, value }) => key === 'balance' && value.kind === 'number');
  if (hasBalance) expect.push({ path: balance, type: 'number' });
  return { expect, take: hasBalance ? { balance } : {} };
}

/** Returns whether a path names a session token or another secret. */
export function isSecretPath(path: string, answers: Answers): boolean {
  const steps = pointerSteps(path);
  return steps.ok && steps.steps.some((step) => isTokenName(step, answers));
}

/** Returns a name for the variable of a value: that of its field, with a number if it is taken. */
export function nameOfValue(path: string, taken: readonly string[]): string {
  const steps = pointerSteps(path);
  const field = steps.ok ? (steps.steps.findLast((step) => !/^\d+$/.test(step)) ?? '') : '';
  const plain = field.replace(/[^\w.-]/g, '_').slice(0, 90);
  const wanted = variableName.pattern.test(plain) ? plain : `value_${plain}`.replace(/_$/, '');
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}${number}`;
    if (!taken.includes(name)) return name;
  }
}
