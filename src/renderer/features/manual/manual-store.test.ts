import { expect, it } from 'vitest';
import { createManualStore } from './manual-store.ts';

const place = (page: 'runs' | 'checks' | 'doctor', heading: string | null = null) => ({ page, heading });

it('goes back and forward as a browser does, to where a page was left', () => {
  const store = createManualStore();
  const { go, goBack, goForward, noteScroll } = store.getState();
  const read = () => store.getState().visit;
  go(place('runs'));
  noteScroll(120);
  go(place('checks', 'limits'));
  go(place('doctor'));
  goBack();
  expect(read()).toMatchObject(place('checks', 'limits'));
  goBack();
  expect(read()).toEqual({ ...place('runs'), scroll: 120 });
  goBack();
  expect(read()).toMatchObject(place('runs'));
  goForward();
  goForward();
  expect(read()).toMatchObject(place('doctor'));
  expect(store.getState().forward).toEqual([]);
  goBack();
  go(place('runs'));
  expect(store.getState().forward).toEqual([]);
  expect(store.getState().back.map(({ page }) => page)).toEqual(['runs', 'checks']);
});

it('leads to a heading again without a step', () => {
  const store = createManualStore();
  const { go } = store.getState();
  go(place('checks', 'limits'));
  const { visit } = store.getState();
  go(place('checks', 'limits'));
  expect(store.getState().visit).not.toBe(visit);
  expect(store.getState().back).toEqual([]);
});

it('hides the list of a narrow window once a page was chosen there', () => {
  const store = createManualStore();
  store.getState().toggleList();
  expect(store.getState().listShown).toBe(true);
  store.getState().go(place('runs'));
  expect(store.getState().listShown).toBe(false);
});
