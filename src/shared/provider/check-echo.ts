import { parseJson, type JsonNode } from '../json/parse.ts';
import { shown, type RuleFinding } from './findings.ts';
import { checkLaunchAnswer, nodeAt, textAt, type LaunchUrlCheck } from './launcher-url.ts';
import type { Operation } from './model.ts';

/** A body as text or as bytes, decoded only if there is something to compare. */
type Body = string | { toString(encoding: 'utf8'): string };

/**
 * Compares an accepted response with its request: the reference that freeRounds echoes (spec, Free round reference) and
 * the parameters of a launcher URL (spec, Launcher result). Both as sent and received.
 */
export function checkEcho(operation: Operation, formId: string, requestBody: Body, responseBody: string): RuleFinding[] {
  if (operation.name === 'freeRounds' && formId === 'single') return checkReference(requestBody.toString('utf8'), responseBody);
  if (operation.name !== 'getLauncherURL') return [];
  const check = checkLaunchAnswer(requestBody.toString('utf8'), responseBody);
  return check === null ? [] : launchFindings(check);
}

function checkReference(requestBody: string, responseBody: string): RuleFinding[] {
  const sent = textAt(rootOf(requestBody), ['data', 'externalReferenceId']);
  const echoed = nodeAt(rootOf(responseBody), ['data', 'referenceId']);
  if (sent === null || echoed?.kind !== 'string' || echoed.value === sent) return [];
  const message =
    `referenceId is "${shown(echoed.value)}"; this call sent externalReferenceId "${shown(sent)}". ` +
    'The spec says that referenceId echoes it.';
  const { start, end } = echoed;
  return [{ rule: 'reference-echo', severity: 'warning', path: '/data/referenceId', message, start, end }];
}

/** Returns findings about a launcher URL, without missing parameters and http, which the comparison with the documented shape reports. */
function launchFindings({ parameters, checks }: LaunchUrlCheck): RuleFinding[] {
  const path = '/data/launcherURL';
  const findings = parameters.flatMap(({ name, state, requested, returned }): RuleFinding[] => {
    const of = `${shown(name)} of the launcher URL`;
    const value = `"${shown(returned ?? '')}"`;
    switch (state) {
      case 'different': {
        const sent = requested === null ? `this call sent no ${shown(name)}` : `this call sent "${shown(requested)}"`;
        return [{ rule: 'launch.different', severity: 'warning', path, message: `${of} is ${value}; ${sent}.` }];
      }
      case 'duplicated':
        return [{ rule: 'launch.duplicated', severity: 'warning', path, message: `${of} occurs more than once: ${value}.` }];
      case 'malformed':
        return [
          {
            rule: 'launch.malformed',
            severity: 'warning',
            path,
            message: `${of} is ${value}, which is not in the documented form.`,
          },
        ];
      case 'unexpected':
        return name === 'externalToken'
          ? [
              {
                rule: 'launch.token',
                severity: 'warning',
                path,
                message: `${of} is present in fun mode; the spec has none there.`,
              },
            ]
          : [{ rule: 'launch.undocumented', severity: 'note', path, message: `${of} is not documented: ${value}.` }];
      case 'missing':
      case 'equal':
        return [];
    }
  });
  const encoding = checks.find(({ rule, passed }) => rule === 'encoding' && !passed);
  return encoding === undefined
    ? findings
    : [...findings, { rule: 'launch.encoding', severity: 'note', path, message: `${encoding.message}.` }];
}

function rootOf(text: string): JsonNode | null {
  const parsed = parseJson(text);
  return parsed.ok ? parsed.root : null;
}
