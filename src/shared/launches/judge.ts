import type { LaunchEntry, LaunchRules } from '../ipc/index.ts';
import type { LaunchState } from '../model/launch-state.ts';
import type { LaunchVerdict, RuleResult } from '../model/launch-verdict.ts';
import { decisive, launchRules, needWebgl } from './rules.ts';
import { seenOf, type JudgedLaunch, type Seen } from './seen.ts';

/** Rises when a rule changes, so that lists judge earlier launches again. */
const rulesVersion = 1;

/** Names the rules that judge with these limits and this noise: a verdict by others is judged again. */
export function rulesName(rules: LaunchRules): string {
  return JSON.stringify([rulesVersion, rules.slowAfter, rules.noise]);
}

/**
 * Judges one launch by its record since it was last opened. The same record always gets the same verdict: nothing else is asked.
 */
export function judgeLaunch(launch: JudgedLaunch, entries: readonly LaunchEntry[], rules: LaunchRules): LaunchVerdict {
  const seen = seenOf(launch, entries, rules);
  const results = launchRules.flatMap(({ id, look }): RuleResult[] => {
    const found = look(seen);
    return found === null ? [] : [{ rule: id, ...found }];
  });
  return { state: stateOf(seen, results), results: results.toSorted((a, b) => order[a.state] - order[b.state]) };
}

/** Judges a launch of a version that recorded nothing for the rules: by its call and its URL alone. */
export function judgeOldLaunch(launch: JudgedLaunch, rules: LaunchRules): LaunchVerdict {
  const { state, results } = judgeLaunch(launch, [], rules);
  const message = 'Recorded by an earlier version of Croupier, which noted nothing for the rules.';
  return {
    state,
    results: [
      ...results.filter(({ rule }) => rule === 'code' || rule === 'url'),
      { rule: 'opened', state: 'not observed', message, entry: null },
    ],
  };
}

const order: Readonly<Record<RuleResult['state'], number>> = {
  failed: 0,
  'to check': 1,
  waiting: 2,
  passed: 3,
  'not observed': 4,
};

function stateOf(seen: Seen, results: readonly RuleResult[]): LaunchState {
  const has = (state: RuleResult['state']) => results.some((result) => result.state === state);
  const lacksWebgl = results.some(({ rule, state }) => rule === 'webgl' && state === 'to check');
  if (results.some(({ rule, state }) => state === 'failed' && !(lacksWebgl && needWebgl.includes(rule)))) return 'failed';
  if (lacksWebgl) return 'unfinished';
  if (seen.opened === null || has('waiting')) return 'unfinished';
  const undecided = results.some(({ rule, state }) => state === 'not observed' && decisive.includes(rule));
  if (undecided && seen.whole) return 'unfinished';
  return has('to check') ? 'to check' : 'passed';
}
