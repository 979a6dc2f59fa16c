import { expect, it } from 'vitest';
import { drawnOfLine, hiddenCharacterMarks } from './hidden-characters.ts';

type Given = Parameters<typeof hiddenCharacterMarks>;

it('draws less of each line of a text with more characters that show nothing than there are labels', () => {
  const monaco = { Range: class {} } as unknown as Given[0];
  const labelsOf = (text: string) =>
    hiddenCharacterMarks(monaco, {
      getValue: () => text,
      getPositionAt: (at: number) => ({ lineNumber: 1, column: at + 1 }),
    } as unknown as Given[1]).length;
  expect(drawnOfLine(labelsOf('a\u202e'.repeat(1_000)))).toBe(10_000);
  expect(drawnOfLine(labelsOf('a\u202e'.repeat(100_000)))).toBeLessThan(1_000);
});
