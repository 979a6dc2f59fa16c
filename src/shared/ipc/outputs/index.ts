import { answerEvents, answerOutputs } from './answers.ts';
import { appEvents, appOutputs } from './app.ts';
import { callEvents, callOutputs } from './calls.ts';
import { catalogueEvents, catalogueOutputs } from './catalogue.ts';
import { collectionEvents, collectionOutputs } from './collections.ts';
import { environmentEvents, environmentOutputs } from './environments.ts';
import { exportOutputs } from './exports.ts';
import { forgetEvents, forgetOutputs } from './forget.ts';
import { historyEvents, historyOutputs } from './history.ts';
import { importEvents, importOutputs } from './imports.ts';
import { keyEvents, keyOutputs } from './keys.ts';
import { launchEvents, launchOutputs } from './launches.ts';
import { productionEvents, productionOutputs } from './production.ts';
import { roundOutputs } from './rounds.ts';
import { runEvents, runOutputs } from './runs.ts';
import { sandboxEvents, sandboxOutputs } from './sandbox.ts';
import { settingsOutputs } from './settings.ts';
import { workspaceEvents, workspaceOutputs } from './workspaces.ts';

/**
 * What each call gives back. Core makes these values itself and nothing parses them when the program runs: the types come from here, and tests alone
 * load the schemas, to hold every reply and event against them.
 */
export const outputs = {
  ...answerOutputs,
  ...appOutputs,
  ...callOutputs,
  ...catalogueOutputs,
  ...collectionOutputs,
  ...environmentOutputs,
  ...exportOutputs,
  ...forgetOutputs,
  ...historyOutputs,
  ...importOutputs,
  ...keyOutputs,
  ...launchOutputs,
  ...productionOutputs,
  ...roundOutputs,
  ...runOutputs,
  ...sandboxOutputs,
  ...settingsOutputs,
  ...workspaceOutputs,
};

/** What each event brings. */
export const events = {
  ...answerEvents,
  ...appEvents,
  ...callEvents,
  ...catalogueEvents,
  ...collectionEvents,
  ...environmentEvents,
  ...forgetEvents,
  ...historyEvents,
  ...importEvents,
  ...keyEvents,
  ...launchEvents,
  ...productionEvents,
  ...runEvents,
  ...sandboxEvents,
  ...workspaceEvents,
};
