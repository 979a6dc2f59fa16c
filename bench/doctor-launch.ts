import { hash } from 'node:crypto';
import { someSubject } from '#testing/some-subject.ts';

export const key = 'tEst-private-key-of-32-characters';
const dataText =
  '{"gameMode":"real","gameId":"1042","lang":"es","externalToken":"q83v/Ty+4Q==","playerId":"Jos\\u00e9","country":"ES","ip":"203.0.113.9","exitURL":"https://lobby.example/?from=games&player=1"}';

/** A launch whose hash no known mistake makes, so that each stage is gone through. */
export const launch = someSubject({ dataText, hash: hash('sha256', 'something else') });

/** Returns the text of a hash input of the launch, another one for each number. */
export function inputOf(at: number): string {
  return key + launch.time + at + dataText;
}
