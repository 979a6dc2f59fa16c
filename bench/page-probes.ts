/* Runs inside the measured page before its own scripts, serialised with toString(): no imports, nothing from outside. */

/** Records when the shell and a coloured editor line are on screen, and offers stopwatches to the measuring script. */
export function installProbes(): void {
  const marks: Record<string, number> = {};
  /** Called in a frame's callback: a message arrives when that frame has been painted. */
  const afterFrame = (then: (at: number) => void) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => then(performance.now());
    channel.port2.postMessage(0);
  };
  const painted = (then: (at: number) => void) => requestAnimationFrame(() => afterFrame(then));
  const wanted: Record<string, () => boolean> = {
    shell: () => document.querySelector('nav') !== null,
    editor: () => document.querySelector('.monaco-editor .view-line span[class*="mtk"]') !== null,
  };
  const look = () => {
    for (const [name, there] of Object.entries(wanted)) {
      if (marks[name] === undefined && there()) {
        marks[name] = 0;
        afterFrame((at) => (marks[name] = at));
      }
    }
    if (Object.keys(wanted).some((name) => marks[name] === undefined)) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);

  /** Waits from `start` until `there` holds and the result has been painted; rejects after half a minute. */
  const until = (there: () => boolean, start: number) =>
    new Promise<number>((resolve, reject) => {
      const look = () => {
        if (there()) afterFrame((at) => resolve(at - start));
        else if (performance.now() - start > 30_000) reject(new Error('It did not come'));
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
  /** Returns frame lengths in milliseconds while an element is scrolled by `step` pixels a frame. */
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
  Object.assign(globalThis, { probes: { marks, painted, until, scroll } });
}

interface Probes {
  marks: Record<'shell' | 'editor', number>;
  painted(then: (at: number) => void): void;
  until(there: () => boolean, start: number): Promise<number>;
  scroll(element: Element, frames: number, step: number): Promise<number[]>;
}

declare global {
  var probes: Probes;
}
