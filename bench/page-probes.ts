/* Runs inside the measured page before its own scripts, serialised with toString(): no imports, nothing from outside. */

/** Records when the shell and a coloured editor line are on screen, and offers stopwatches to the measuring script. */
export function installProbes(): void {
  const marks: Record<string, number> = {};
  const painted = (then: (at: number) => void) =>
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => then(performance.now());
      channel.port2.postMessage(0);
    });
  const wanted: Record<string, () => boolean> = {
    shell: () => document.querySelector('nav') !== null,
    editor: () => document.querySelector('.monaco-editor .view-line span[class*="mtk"]') !== null,
  };
  const look = () => {
    for (const [name, there] of Object.entries(wanted)) {
      if (marks[name] === undefined && there()) {
        marks[name] = 0;
        painted((at) => (marks[name] = at));
      }
    }
    if (Object.keys(wanted).some((name) => marks[name] === undefined)) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);

  /** From now until `text` gives something new and it has been painted; an error where nothing changes for half a minute. */
  const untilChanged = (text: () => string, start: number) => {
    const before = text();
    return new Promise<number>((resolve, reject) => {
      const poll = () => {
        if (text() !== before) painted((at) => resolve(at - start));
        else if (performance.now() - start > 30_000) reject(new Error(`Nothing changed: ${before}`));
        else requestAnimationFrame(poll);
      };
      poll();
    });
  };
  /** Frame lengths in milliseconds while an element is scrolled by `step` pixels a frame. */
  const scroll = (element: Element, frames: number, step: number) =>
    new Promise<number[]>((resolve) => {
      const lengths: number[] = [];
      let last = 0;
      const next = (at: number) => {
        if (last > 0) lengths.push(at - last);
        last = at;
        if (lengths.length >= frames) return resolve(lengths);
        element.scrollTop += step;
        requestAnimationFrame(next);
      };
      requestAnimationFrame(next);
    });
  Object.assign(globalThis, { probes: { marks, painted, untilChanged, scroll } });
}

export interface Probes {
  marks: Record<'shell' | 'editor', number>;
  painted(then: (at: number) => void): void;
  untilChanged(text: () => string, start: number): Promise<number>;
  scroll(element: Element, frames: number, step: number): Promise<number[]>;
}

declare global {
  var probes: Probes;
}
