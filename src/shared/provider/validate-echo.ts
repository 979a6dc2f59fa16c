import { shown, type RuleFinding } from './findings.ts';
import { encodingCheck, launchRows, nodeAt, readAddress, requestedIn, rootOf, textAt } from './launcher-url.ts';
import type { Operation } from './model.ts';
import { isObject } from './response-shapes.ts';

/** A body as text or as bytes, decoded only if there is something to compare. */
type Body = string | { toString(encoding: 'utf8'): string };

/**
 * Compares an accepted response with its request: the reference that freeRounds echoes (spec, Free round reference) and
 * the parameters of a launcher URL (spec, Launcher result). Both as sent and received; `parsed` is what JSON.parse made of the response.
 */
export function validateEcho(
  { name }: Pick<Operation, 'name'>,
  formId: string,
  requestBody: Body,
  responseBody: string,
  parsed: unknown = JSON.parse(responseBody),
): RuleFinding[] {
  if (!isObject(parsed) || !isObject(parsed['data'])) return [];
  const { launcherURL, referenceId } = parsed['data'];
  if (name === 'getLauncherURL' && typeof launcherURL === 'string')
    return launchFindings(launcherURL, requestBody.toString('utf8'));
  if (name !== 'freeRounds' || formId !== 'single' || typeof referenceId !== 'string') return [];
  return validateReference(referenceId, requestBody.toString('utf8'), responseBody);
}

function validateReference(echoed: string, requestBody: string, responseBody: string): RuleFinding[] {
  const sent = textAt(rootOf(requestBody), ['data', 'externalReferenceId']);
  if (sent === null || echoed === sent) return [];
  const message =
    `referenceId is "${shown(echoed)}"; this call sent externalReferenceId "${shown(sent)}". ` +
    'The spec says that referenceId echoes it.';
  const place = nodeAt(rootOf(responseBody), ['data', 'referenceId']);
  const at = place === null ? {} : { start: place.start, end: place.end };
  return [{ rule: 'reference-echo', severity: 'warning', path: '/data/referenceId', message, ...at }];
}

/** Returns findings about a launcher URL, without missing parameters and http, which the comparison with the documented shape reports. */
function launchFindings(url: string, requestBody: string): RuleFinding[] {
  const path = '/data/launcherURL';
  const address = readAddress(url);
  if (address === null) return [];
  const findings = launchRows(address, requestedIn(requestBody)).flatMap(
    ({ name, state, requested, returned }): RuleFinding[] => {
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
              message: `${of} is ${value}, which isn't in the documented form.`,
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
    },
  );
  const { passed, message } = encodingCheck(address);
  if (!passed) findings.push({ rule: 'launch.encoding', severity: 'note', path, message: `${message}.` });
  return findings;
}
