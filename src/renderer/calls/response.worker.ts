import { runBodyTask, type BodyTask, type BodyTaskResult } from './body-reader.ts';

/** Lays out and reads long responses off the page's thread. */
const scope = globalThis as unknown as {
  addEventListener(type: 'message', listener: (event: { data: BodyTask }) => void): void;
  postMessage(result: BodyTaskResult): void;
};

scope.addEventListener('message', ({ data: task }) => {
  try {
    scope.postMessage({ id: task.id, value: runBodyTask(task) });
  } catch (error) {
    scope.postMessage({ id: task.id, error: error instanceof Error ? error.message : 'The response could not be read.' });
  }
});
