import { describe, expect, it } from 'vitest';
import type { DoctorReport } from '#shared/ipc/index.ts';
import { stages } from '#shared/doctor/search.ts';
import { emptySubject } from './doctor-fields.ts';
import { stagesAfter } from '#shared/doctor/words.ts';
import { bytesAround, findingText, guessWords, headlineOf, otherWords, stageFacts } from './doctor-words.ts';

const time = '22-11-2026 10:40:02';
const right = '{"token":"s3cr3t","u":"/é"}';
const wrong = right.replace('/', String.raw`\/`);
const found: DoctorReport = {
  verdict: 'other',
  seen: [],
  says: 'Your backend escapes the slashes. It hashes a line break.',
  expected: { text: `<PRIVATE_KEY>${time}${right}`, time, data: right, hash: 'ab' },
  problem: null,
  hashed: { text: `<PRIVATE_KEY>${time}${wrong}`, time, data: wrong },
  differsAt: time.length + right.indexOf('/'),
  ways: [
    [
      { id: 'slash.escaped', says: 'Your backend escapes the slashes.', who: 'PHP does.' },
      { id: 'wrap.line', says: 'It hashes a line break.', who: '' },
    ],
    [{ id: 'other', says: 'Something else.', who: '' }],
  ],
  leftOff: 0,
  advice: ['Look at it.'],
  fixes: [
    {
      language: 'php',
      lines: [
        { change: 'removed', text: '$a;' },
        { change: 'added', text: '$b;' },
        { change: 'same', text: '$c;' },
      ],
    },
  ],
  digits: 64,
  unseen: [],
  guesses: [],
  stages: [],
  keys: 1,
};

describe('the words of a finding', () => {
  it('are copied without key and data', () => {
    const subject = { ...emptySubject, fields: { action: 'getLauncherURL', time, dataText: right, hash: 'cd'.repeat(32) } };
    const text = findingText(found, subject);
    expect(text.split('\n')).toEqual([
      'Found: Your backend escapes the slashes. It hashes a line break.',
      'PHP does.',
      `Request: getLauncherURL, time ${time}, 28 bytes of data, hash cdcdcdcdcd…cdcdcd.`,
      'The hash input first differs at byte 42 after the key: 0x2f is right, 0x5c was hashed.',
      'Look at it.',
      'Fix in PHP:',
      '- $a;',
      '+ $b;',
      '  $c;',
      'Other code that gives the same bytes:',
      '- Something else.',
    ]);
    expect(text).not.toContain('s3cr3t');
  });

  it('make a headline of one mistake or several', () => {
    expect(headlineOf(found)).toBe('Your backend escapes the slashes. It hashes a line break.');
    expect(headlineOf({ ...found, says: 'Something else.' })).toBe('Something else');
    expect(headlineOf({ ...found, seen: ['time is no date.'], says: 'The hash fits.' })).toBe('time is no date. The hash fits.');
  });

  it('tell a guess', () => {
    expect(guessWords(found.ways[0] ?? [])).toBe('Your backend escapes the slashes. It hashes a line break. PHP does.');
    expect(guessWords([])).toContain('Data has the right form');
  });

  it('name every stage of the search, in its order', () => {
    expect(stagesAfter([])).toEqual(stages);
    expect(stageFacts({ stage: 'pairs', state: 'unfinished', tried: 1_148, total: 412_600, took: 1_240 })).toBe(
      '1,148 of 412,600 tried, 1.2 s',
    );
    expect(stageFacts({ stage: 'pairs', state: 'skipped', tried: 0, total: 0, took: 0 })).toBe('skipped: data is too long');
  });
});

describe('another explanation', () => {
  it('does not repeat what it shares with the first', () => {
    const [first = [], other = []] = found.ways;
    expect(otherWords(other, first)).toBe('Something else.');
    expect(otherWords([...first.slice(0, 1), ...other], first)).toBe('Combined with the mistakes above: Something else.');
    expect(otherWords(first.slice(0, 1), first)).toBe('Your backend escapes the slashes.');
  });
});

describe('bytesAround', () => {
  it('counts bytes after the key, and knows the end', () => {
    expect(bytesAround('<PRIVATE_KEY>aé/b', 3, 2)).toEqual({ before: 'c3 a9', at: '2f', after: '62' });
    expect(bytesAround('<PRIVATE_KEY>a', 1)).toEqual({ before: '61', at: '', after: '' });
  });
});
