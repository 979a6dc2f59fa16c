import { AppError } from '#shared/errors.ts';
import type { Embedding, PageSettings } from '#shared/model/device.ts';
import { embeddingText, isLanguage, isTimeZone, settingsText } from '#shared/launches/devices.ts';
import type { Note } from './record.ts';

/** Fails with `invalid_input` for a language, a time zone or an operator's origin that no browser knows; `details` names the field. */
export function checkPage({ lang, timeZone }: PageSettings, embedding: Embedding | null): void {
  const refuse = (field: string, message: string) => {
    throw new AppError('invalid_input', message, { field });
  };
  if (lang !== '' && !isLanguage(lang)) refuse('lang', `${lang} is not a browser language. Use a code such as de or de-AT.`);
  if (timeZone !== '' && !isTimeZone(timeZone))
    refuse('timeZone', `${timeZone} is not a time zone. Use a name such as Europe/Vienna.`);
  if (embedding === null) return;
  const url = URL.parse(embedding.origin);
  if (url?.protocol !== 'https:' || url.origin !== embedding.origin.replace(/\/$/, ''))
    refuse('origin', `${embedding.origin} is not an origin. Write it as https://casino.example.`);
}

/** Notes the surroundings of a game; `opening` is null for those that it gets while it is open. */
export function settingsNote(
  page: PageSettings,
  embedding: Embedding | null,
  opening: { readonly webgl: string | null; readonly roundTripMs: number | null } | null,
): Note {
  const framed = embedding !== null;
  const userAgent = page.device?.userAgent ?? '';
  const detail = [
    userAgent === '' ? "The user agent is Chrome's own." : `User agent ${userAgent}`,
    // A shape and a user agent do not make another engine.
    ...(/iPhone|iPad/.test(userAgent) ? ['The engine is Chromium, not Safari.'] : []),
    ...(framed && page.device !== null ? [notInFrames] : []),
    ...(opening === null
      ? ['A page reads many of these settings only when it loads. To make sure that they apply, reload the game.']
      : [`WebGL ${opening.webgl ?? "isn't available on this computer"}`]),
  ];
  const title =
    opening === null
      ? `From now on: ${settingsText(page, framed, null)}`
      : `Runs on ${settingsText(page, framed, opening.roundTripMs)}, ${embeddingText(embedding)}`;
  return { kind: 'settings', group: 'navigation', level: 'info', title, detail: detail.join('\n') };
}

const notInFrames = "Chromium gives a frame this computer's pixel ratio, screen and orientation, and no safe area.";
