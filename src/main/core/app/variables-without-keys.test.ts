import { expect, it } from 'vitest';
import { variablesWithoutKeys } from './use-cases.ts';

it('leaves out each variable that holds a key, and looks at each only if one does', async () => {
  const looked: string[] = [];
  const holdsKey = async (bytes: Uint8Array) => {
    const text = Buffer.from(bytes).toString();
    looked.push(text);
    return text.includes('the-key');
  };
  expect(await variablesWithoutKeys({ PATH: '/bin', A: 'x' }, holdsKey)).toEqual({ PATH: '/bin', A: 'x' });
  expect(looked).toEqual(['/bin\nx']);
  expect(await variablesWithoutKeys({ PATH: '/bin', KEY: 'a the-key b' }, holdsKey)).toEqual({ PATH: '/bin' });
});
