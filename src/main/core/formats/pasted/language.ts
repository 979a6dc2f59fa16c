import type { Language } from '#shared/doctor/model.ts';

/** First words of the layers that only programs of one language write. */
const ofLayers: Readonly<Record<string, Language>> = {
  PHP: 'php',
  Monolog: 'php',
  Node: 'node',
  Python: 'python',
  Java: 'java',
  Go: 'go',
  Ruby: 'ruby',
};

/** Returns the language of the program that wrote the innermost layer that shows one. */
export function languageOf(layers: readonly string[]): Language | null {
  return layers.map((layer) => ofLayers[layer.split(' ', 1)[0] ?? '']).findLast((language) => language !== undefined) ?? null;
}

/** Lines as loggers of one language write them: pino, the logging module of Python, Ruby's Logger, Go's log, Logback. */
const ofLines: readonly (readonly [Language, RegExp])[] = [
  ['node', /"level":\d0,"time":\d{13},"pid":\d{1,9},"hostname":"/],
  [
    'python',
    /^(?:DEBUG|INFO|WARNING|ERROR|CRITICAL):[\w.]{1,80}:|^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} - [\w.]{1,80} - [A-Z]{4,8} - /m,
  ],
  ['ruby', /^[DIWEF], \[\d{4}-\d\d-\d\dT[\d:.]{8,20} #\d{1,9}\] {1,2}[A-Z]{4,5} -- /m],
  ['java', /^\S{1,30}(?: \S{1,30})? \[[\w.#-]{1,80}\] (?:TRACE|DEBUG|INFO|WARN|ERROR) {1,2}[\w.$]{1,120} - /m],
  ['go', /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d /m],
];

/** Returns the language whose usual logger wrote a text; null if none shows. */
export function languageAround(text: string): Language | null {
  return ofLines.find(([, line]) => line.test(text))?.[0] ?? null;
}
