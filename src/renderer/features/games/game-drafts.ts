import { setMember } from '#shared/payload-text/edit.ts';
import type { CatalogueGame, Environment, RequestDraft } from '#shared/ipc/index.ts';
import { formOf, operationByName, templateText, type OperationName } from '#shared/provider/index.ts';

/** Returns a getLauncherURL request for the game, in fun mode and otherwise from the environment's defaults. */
export function launcherDraft(game: CatalogueGame, environment: Environment, now: number): RequestDraft {
  return draft('getLauncherURL', environment, now, [
    ['gameMode', '"fun"'],
    ['gameId', JSON.stringify(game.id)],
    ['externalToken', '""'],
  ]);
}

/** Returns a freeRounds request for one player that names the game and one of its bets; `betLevel` counts from 0. */
export function freeRoundsDraft(game: CatalogueGame, betLevel: number, environment: Environment, now: number): RequestDraft {
  return draft('freeRounds', environment, now, [
    ['betLevel', String(betLevel)],
    ['gameIds', `[${JSON.stringify(game.id)}]`],
  ]);
}

function draft(
  name: OperationName,
  environment: Environment,
  now: number,
  members: readonly (readonly [name: string, json: string])[],
): RequestDraft {
  const operation = operationByName(name);
  const form = formOf(operation, '').id;
  let text = templateText(operation, form, environment.defaults, {
    now,
    timeZone: environment.timeZone,
    answers: environment.answers,
  });
  for (const [member, json] of members) text = setMember(text, member, json);
  return { environmentId: environment.id, operation: name, form, text, overrides: {} };
}
