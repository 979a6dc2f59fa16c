import { describe, expect, it } from 'vitest';
import { AppError } from './errors.ts';
import { describeFault, errorForLog, faultDetails, faultIdOf, faultKey, isFault } from './faults.ts';

function thrown(message: string, stack: string[] = [], make: typeof Error = Error): Error {
  const error = new make(message);
  error.stack = [`${error.name}: ${message}`, ...stack.map((frame) => `    at ${frame}`)].join('\n');
  return error;
}

describe('isFault', () => {
  it('is anything but an AppError, or one that stands for a fault of core', () => {
    expect([new TypeError('x'), 'text', null, undefined].map(isFault)).toEqual([true, true, true, true]);
    expect(isFault(new AppError('storage', 'The disk is full.'))).toBe(false);
    const inCore = new AppError('internal', 'Something went wrong', { fault: 'a1b2c3' });
    expect([isFault(inCore), faultIdOf(inCore)]).toEqual([true, 'a1b2c3']);
    expect(isFault(new AppError('internal', 'The workbench did not answer.'))).toBe(false);
  });
});

describe('describeFault', () => {
  it.each([
    ["Cannot read properties of undefined (reading 'name')", "Cannot read properties of undefined (reading 'name')"],
    [`Unexpected token 'k', "key-of-casino" is not valid JSON`, 'Unexpected token in JSON'],
    [`Cannot create property 'x' on string 'my very secret key!'`, "Cannot create property 'x' on string [hidden]"],
    ['Cannot convert 12.34-secret to a BigInt', 'Cannot convert a value to a BigInt'],
    ["ENOENT: no such file, open '/home/alice/.croupier/a.json'", 'ENOENT: no such file, open [hidden]'],
    ['Cannot find module /home/alice/work/node_modules/ws/index.js', 'Cannot find module node_modules/ws/index.js'],
    ['Failed at https://games.example/play?token=abc and C:\\Users\\alice\\x.txt', 'Failed at play and x.txt'],
    ['Wrong digest 0123456789abcdef0123456789abcdef', 'Wrong digest [hidden]'],
    ['two\nlines', 'two lines'],
  ])('says %j without values and paths', (message, said) => {
    expect(describeFault(thrown(message)).message).toBe(`Error: ${said}`);
  });

  it('names functions and files of the program, and nothing of the computer', () => {
    const { stack } = describeFault(
      thrown('x', [
        'send (http://127.0.0.1:4000/assets/index-B1.js?v=1:2:30)',
        'async Object.load (file:///home/alice/croupier/out/main/chunks/app.js:10:2)',
        'C:\\Users\\alice\\croupier\\out\\main\\cli.cjs:1:2',
        'node:internal/process/task_queues:103:5',
        'something that is not a frame',
      ]),
    );
    expect(stack).toEqual([
      'send (assets/index-B1.js:2:30)',
      'async Object.load (out/main/chunks/app.js:10:2)',
      'out/main/cli.cjs:1:2',
      'node:internal/process/task_queues:103:5',
    ]);
  });

  it('keeps messages and stacks short, and takes whatever was thrown', () => {
    const long = describeFault(thrown('word '.repeat(1_000), Array<string>(99).fill('f (/a/src/b.ts:1:2)')));
    expect([long.message.length < 400, long.stack.length]).toEqual([true, 12]);
    expect(describeFault('a secret text')).toEqual({ message: 'Thrown without an error: string', stack: [] });
  });

  it('describes what caused an AppError', () => {
    const error = new AppError('internal', 'Fault a1 in app.info', { fault: 'a1' }, { cause: new RangeError('too deep') });
    expect(describeFault(error).message).toBe('RangeError: too deep');
    expect(errorForLog(error)).toMatch(/^Fault a1 in app\.info: RangeError: too deep\n {4}at /);
  });
});

it('writes details to copy, and tells faults apart by message and place', () => {
  const one = describeFault(thrown('x', ['f (/a/src/b.ts:1:2)', 'g (/a/src/c.ts:3:4)'], TypeError));
  expect(faultDetails(one, 'Croupier 1.2.3')).toBe(
    'Croupier 1.2.3\nTypeError: x\n    at f (src/b.ts:1:2)\n    at g (src/c.ts:3:4)',
  );
  const other = describeFault(thrown('x', ['h (/a/src/d.ts:1:2)'], TypeError));
  expect(faultKey(one)).not.toBe(faultKey(other));
  expect(errorForLog(new AppError('storage', 'The disk is full.'))).toBe('The disk is full.');
});
