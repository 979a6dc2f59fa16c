import { requestsOf, type CaseRequest, type CaseStep, type TokenForm } from '#shared/wallet/wallet-case.ts';
import type { Answer } from './answer.ts';
import { jsonOf, type SentRequest } from './requests.ts';

const mostTexts = 4;
const mostShown = 40;
/** Characters of a value that are masked: a token that is cut here is longer than what is shown. */
const mostMasked = 1_000;

/** Counts equal texts: `2 × code 0`. */
function counted(texts: readonly string[]): string[] {
  return [...Map.groupBy(texts, (text) => text)].map(([text, { length }]) => (length === 1 ? text : `${length} × ${text}`));
}

const tokenWords: Readonly<Record<TokenForm, string>> = {
  unknown: 'with an unknown token',
  otherCase: 'with the token in other letter case',
  spaceBehind: 'with a space after the token',
  padded255: 'with 255 characters as the token',
  padded256: 'with 256 characters as the token',
  replaced: 'with the replaced token',
  injection: 'with SQL as the token',
};
const eachWords = {
  omitted: 'each without another member',
  null: 'each with another member null',
  otherType: 'each with another member of another type',
} as const satisfies Record<NonNullable<CaseRequest['each']>, string>;
const cutWords = {
  upload: 'cut in the body',
  response: 'cut before a response was read',
  after: 'closed after the response',
} as const satisfies Record<NonNullable<CaseRequest['cut']>, string>;

/** Says what is special about a request; `shown` is what may be shown of a value. */
function formText(request: CaseRequest, sent: SentRequest | undefined, shown: (json: string) => string): string[] {
  const { call, relaid, token, before, body, each, cut } = request;
  return [
    call === 'again' ? 'again' : '',
    relaid === true ? 'written differently' : '',
    token === undefined ? '' : tokenWords[token],
    ...Object.keys(request.with ?? {}).map((name) => {
      const json = sent && jsonOf(sent.members, name);
      return json === undefined ? `without ${name}` : name === 'amount' ? '' : `with ${name} ${shown(json)}`;
    }),
    before === undefined ? '' : `after ${before}`,
    body === undefined ? '' : `with the body ${JSON.stringify(body)}`,
    each === undefined ? '' : eachWords[each],
    cut === undefined ? '' : cutWords[cut],
  ].filter((part) => part !== '');
}

/** Says what a step sent: each entry with its requests. `mask` masks tokens in a value, and `inFlight` is the most requests at one moment. */
export function sentText(
  step: CaseStep,
  made: readonly (readonly SentRequest[])[],
  mask: (text: string) => string,
  inFlight: number,
): string {
  const shown = (json: string) => {
    const text = mask(json.slice(0, mostMasked));
    return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text;
  };
  const words = requestsOf(step).flatMap((request, index) => {
    const form = formText(request, made[index]?.[0], shown);
    return (made[index] ?? []).map(({ method, members }) => {
      const amount = jsonOf(members, 'amount');
      return [`/${method}`, ...(amount === undefined ? [] : [shown(amount)]), ...form].join(' ');
    });
  });
  return `${counted(words).join(', ')}${inFlight > 1 ? `, ${inFlight} at once` : ''}`;
}

/** Says what came: responses, the money that moved, and what is wrong, unless one of the others says that. */
export function cameText(responses: readonly string[], moved: string, fault: string): string {
  const texts = counted(responses);
  const more = texts.length > mostTexts ? [`${texts.length - mostTexts} more`] : [];
  const shown = [...texts.slice(0, mostTexts), ...more];
  return [shown.join('; '), moved, fault === moved || shown.includes(fault) ? '' : fault]
    .filter((part) => part !== '')
    .join(' · ');
}

/** Returns the largest number of requests under way at one moment. */
export function mostAtOnce(found: readonly Answer[]): number {
  const moments = found
    .flatMap(({ from, to }) => [[from, 1] as const, [to, -1] as const])
    .sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  let [now, most] = [0, 0];
  for (const [, change] of moments) most = Math.max(most, (now += change));
  return most;
}
