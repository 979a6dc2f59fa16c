import type { Subject } from '#shared/doctor/model.ts';

/** Returns a request to search the hash of, whose `data` was sent in the form of the rule. */
export function someSubject(change: Partial<Subject> & Pick<Subject, 'dataText'>): Subject {
  return {
    time: '20-11-2026 10:15:30',
    ruleText: change.dataText,
    form: { unicode: 'escaped', objects: 'kept' },
    action: 'getLauncherURL',
    platform: '7',
    partnerId: '11',
    hash: '',
    ...change,
  };
}
