import type { LaunchEntry, LaunchRules } from '../ipc/index.ts';
import type { LaunchState } from '../model/launch-state.ts';
import type { LaunchVerdict, RuleResult } from '../model/launch-verdict.ts';
import { decisive, excuses, launchRules, ruleIds } from './rules.ts';
import { seenOf, type JudgedLaunch, type Seen } from './seen.ts';

/** Rises when a rule changes, so that lists judge earlier launches again. */
const rulesVersion = 2;

/** Names the rules that judge with these limits and this noise: a verdict by others is judged again. */
export function rulesName(rules: LaunchRules): string {
  return JSON.stringify([rulesVersion, rules.slowAfter, rules.noise, rules.readySigns]);
}

/**
 * Judges one launch by its record since it was last opened. The same record always gets the same verdict: nothing else is asked.
 */
export function judgeLaunch(launch: JudgedLaunch, entries: readonly LaunchEntry[], rules: LaunchRules): LaunchVerdict {
  const seen = seenOf(launch, entries, rules);
  const results = ruleIds.flatMap((rule): RuleResult[] => {
    const found = launchRules[rule].judge(seen);
    return found === null ? [] : [{ rule, ...found }];
  });
  return {
    state: stateOf(seen, results),
    results: results.map((one) => withSight(one, results)).toSorted((a, b) => order[a.state] - order[b.state]),
  };
}

/** Says of a frame how many rules could look into it. */
function withSight(result: RuleResult, results: readonly RuleResult[]): RuleResult {
  if (result.rule !== 'sight') return result;
  const blind = results.filter(({ state }) => state === 'not observed').length;
  // This one only says what the others could see.
  const all = results.length - 1;
  return { ...result, message: `${all - blind} of ${all} rules could be checked. ${result.message}` };
}

/** Judges a launch of a version that recorded nothing for the rules: by its call and its URL alone. */
export function judgeOldLaunch(launch: JudgedLaunch, rules: LaunchRules): LaunchVerdict {
  const { state, results } = judgeLaunch(launch, [], rules);
  const message = 'An earlier version of Croupier recorded this without data for the rules.';
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
  // What this computer lacked says nothing about the game.
  const lacking = excuses.filter(({ rule }) => results.some((result) => result.rule === rule && result.state === 'to check'));
  const isExcused = (rule: string) => lacking.some(({ excused }) => excused.some((one) => one === rule));
  if (results.some(({ rule, state }) => state === 'failed' && !isExcused(rule))) return 'failed';
  if (lacking.length > 0) return 'unfinished';
  if (seen.opened === null || has('waiting')) return 'unfinished';
  const undecided = results.some(({ rule, state }) => state === 'not observed' && decisive.some((one) => one === rule));
  if (undecided && seen.whole) return 'unfinished';
  return has('to check') ? 'to check' : 'passed';
}
