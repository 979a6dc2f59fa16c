import { expect, type CDPSession, type Locator, type Page } from '@playwright/test';

/** A job that a user does, with its actions counted and, by keyboard alone, what a screen reader is given after each key. */
export interface Job {
  /** Clicks. */
  click(target: Locator, how?: { readonly button: 'right' }): Promise<void>;
  doubleClick(target: Locator): Promise<void>;
  /** Types a text into a field, which takes the place of what is in it. */
  fill(field: Locator, text: string): Promise<void>;
  /** Presses keys, and waits until they had their effect. */
  press(keys: string, done?: () => Promise<unknown>): Promise<void>;
  /** Types into what has the focus. */
  type(text: string, done?: () => Promise<unknown>): Promise<void>;
  /** Presses Tab until a control has the focus. */
  reach(target: Locator): Promise<void>;
  /** A click, a chord, a text typed, a choice: what the hands do once. */
  actions(): number;
  /** Keys pressed, those of the texts included. */
  presses(): number;
  /**
   * Returns what a screen reader was given, step by step: each text that was said, and where the focus came to rest. Of what is
   * said as often as time allows, the parts that load and the counts of results, nothing is in it.
   */
  heard(): Promise<string>;
}

/** Begins a job on a page. */
export async function startJob(page: Page): Promise<Job> {
  let [actions, presses] = [0, 0];
  const lines: string[] = [];
  let last = '';
  // A desktop's page is one that follows restarts; a session belongs to the page of now.
  const protocol = await page.context().newCDPSession(page.mainFrame().page());
  await page.evaluate(() => {
    const place = document.querySelector('[data-announcer]');
    if (place === null) throw new Error('The page has no announcer.');
    const said: string[] = [];
    Reflect.set(window, 'saidTexts', said);
    new MutationObserver((changes) => {
      const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
      // What is so for a while, such as that something loads, is said if it takes long: as often as the machine is slow.
      for (const node of added) if (!(node as HTMLElement).hasAttribute('data-while')) said.push(node.textContent ?? '');
    }).observe(place, { childList: true, subtree: true });
  });
  /** Takes the texts that were said since the last time. */
  async function said(): Promise<string[]> {
    const texts = await page.evaluate(() => (Reflect.get(window, 'saidTexts') as string[]).splice(0));
    return texts.filter((one) => !/^\d+ results?$/.test(one)).map((one) => `  said: ${one}`);
  }
  async function note(step: string, done?: () => Promise<unknown>): Promise<void> {
    await done?.();
    await page.evaluate(settled);
    // Where the focus came to rest: how often it stopped on the way is as the machine has time.
    const { result } = await protocol.send('Runtime.evaluate', { expression: 'document.activeElement' });
    const rest = `  ${await described(protocol, result.objectId ?? '')}`;
    lines.push(step, ...(await said()), ...(rest === last ? [] : [rest]));
    last = rest;
  }
  return {
    async click(target, how) {
      actions += 1;
      await target.click(how);
    },
    async doubleClick(target) {
      actions += 1;
      await target.dblclick();
    },
    async fill(field, text) {
      actions += 1;
      await field.fill(text);
    },
    async press(keys, done) {
      actions += 1;
      presses += 1;
      await page.keyboard.press(keys);
      await note(keys, done);
    },
    async type(text, done) {
      actions += 1;
      presses += text.length;
      await page.keyboard.type(text);
      await note('typed', done);
    },
    async reach(target) {
      // A control that cannot be reached fails here, not at the end of the test's time.
      for (let count = 0; count < 60; count += 1) {
        if (await target.evaluate((element) => element === document.activeElement)) break;
        presses += 1;
        await page.keyboard.press('Tab');
      }
      await expect(target).toBeFocused();
      actions += 1;
      await note('Tab to');
    },
    actions: () => actions,
    presses: () => presses,
    async heard() {
      return steady([...lines, ...(await said()), ''].join('\n'));
    },
  };
}

/** Resolves when the page had time to give the focus to where an action leads. */
async function settled(): Promise<void> {
  for (let frames = 0; frames < 20; frames += 1)
    await new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

/** Returns an element as assistive technology gets it: role, name, value, states, description, and the active option of a list. */
async function described(protocol: CDPSession, objectId: string): Promise<string> {
  const { nodes } = await protocol.send('Accessibility.getPartialAXTree', {
    objectId,
    fetchRelatives: false,
  });
  const [node] = nodes;
  if (node === undefined || node.ignored) return 'what is gone by now';
  const states = (node.properties ?? []).flatMap(({ name, value }) => stateWords(name, value.value));
  const active = node.properties?.find(({ name }) => name === 'activedescendant')?.value.relatedNodes?.[0]?.backendDOMNodeId;
  const words = [
    `${text(node.role?.value)} "${text(node.name?.value)}"`,
    ...(text(node.value?.value) === '' ? [] : [`= "${text(node.value?.value)}"`]),
    ...(states.length === 0 ? [] : [`[${states.join(', ')}]`]),
    ...(text(node.description?.value) === '' ? [] : [`(${text(node.description?.value)})`]),
  ];
  if (active !== undefined) words.push(`-> ${await nameOf(protocol, active)}`);
  return words.join(' ');
}

async function nameOf(protocol: CDPSession, backendNodeId: number): Promise<string> {
  const { nodes } = await protocol.send('Accessibility.getPartialAXTree', { backendNodeId, fetchRelatives: false });
  return `${text(nodes[0]?.role?.value)} "${text(nodes[0]?.name?.value)}"`;
}

const spoken = [
  'expanded',
  'checked',
  'pressed',
  'selected',
  'invalid',
  'required',
  'disabled',
  'readonly',
  'hasPopup',
  'keyshortcuts',
];

function stateWords(name: string, value: unknown): string[] {
  if (!spoken.includes(name) || value === false || value === 'false' || value === '' || value === undefined) {
    return name === 'expanded' && value === false ? ['collapsed'] : [];
  }
  return value === true || value === 'true' ? [name] : [`${name} ${text(value)}`];
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value).trim() : '';
}

/** Puts signs in place of what differs from run to run: times, durations, ports, fingerprints, digests, tokens, paths. */
function steady(heard: string): string {
  return heard
    .replaceAll(/\b\d{2}-\d{2}-\d{4} \d{2}:\d{2}:\d{2}\b/g, 'TIME')
    .replaceAll(/\b\d{2}:\d{2}:\d{2}\b/g, 'TIME')
    .replaceAll(/\b[\d.,]+ m?s\b/g, 'DURATION')
    .replaceAll(/localhost:\d+/g, 'localhost:PORT')
    .replaceAll(/\b[0-9a-f]{4}-[0-9a-f]{2}\b/g, 'FINGERPRINT')
    .replaceAll(/\b[0-9a-f]{64}\b/g, 'DIGEST')
    .replaceAll(/\b\d{13}\b/g, 'NUMBER')
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, 'UUID')
    .replaceAll(/\/tmp\/[^\s"]+/g, 'PATH');
}
