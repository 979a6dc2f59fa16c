import { answerEvents, answerOutputs } from './answers.ts';
import { appEvents, appOutputs } from './app.ts';
import { callEvents, callOutputs } from './calls.ts';
import { catalogueEvents, catalogueOutputs } from './catalogue.ts';
import { collectionEvents, collectionOutputs } from './collections.ts';
import { doctorEvents, doctorOutputs } from './doctor.ts';
import { environmentEvents, environmentOutputs } from './environments.ts';
import { exportOutputs } from './exports.ts';
import { forgetEvents, forgetOutputs } from './forget.ts';
import { gatewayEvents, gatewayOutputs } from './gateway.ts';
import { historyEvents, historyOutputs } from './history.ts';
import { importEvents, importOutputs } from './imports.ts';
import { keyEvents, keyOutputs } from './keys.ts';
import { launchEvents, launchOutputs } from './launches.ts';
import { packEvents, packOutputs } from './packs.ts';
import { probeEvents, probeOutputs } from './probes.ts';
import { productionEvents, productionOutputs } from './production.ts';
import { roundOutputs } from './rounds.ts';
import { runEvents, runOutputs } from './runs.ts';
import { sandboxEvents, sandboxOutputs } from './sandbox.ts';
import { settingsEvents, settingsOutputs } from './settings.ts';
import { tokenEvents, tokenOutputs } from './tokens.ts';
import { walletOutputs } from './wallet.ts';
import { workspaceEvents, workspaceOutputs } from './workspaces.ts';

/**
 * The output of each call. Core makes these values itself, so nothing parses them at run time: the program takes only the types from here, and
 * tests load the schemas to check every reply and event.
 */
export const outputs = {
  ...answerOutputs,
  ...appOutputs,
  ...callOutputs,
  ...catalogueOutputs,
  ...collectionOutputs,
  ...doctorOutputs,
  ...environmentOutputs,
  ...exportOutputs,
  ...forgetOutputs,
  ...gatewayOutputs,
  ...historyOutputs,
  ...importOutputs,
  ...keyOutputs,
  ...launchOutputs,
  ...packOutputs,
  ...probeOutputs,
  ...productionOutputs,
  ...roundOutputs,
  ...runOutputs,
  ...sandboxOutputs,
  ...settingsOutputs,
  ...tokenOutputs,
  ...walletOutputs,
  ...workspaceOutputs,
};

/** The payload of each event. */
export const events = {
  ...answerEvents,
  ...appEvents,
  ...callEvents,
  ...catalogueEvents,
  ...collectionEvents,
  ...environmentEvents,
  ...forgetEvents,
  ...gatewayEvents,
  ...historyEvents,
  ...importEvents,
  ...keyEvents,
  ...launchEvents,
  ...doctorEvents,
  ...packEvents,
  ...probeEvents,
  ...productionEvents,
  ...runEvents,
  ...sandboxEvents,
  ...settingsEvents,
  ...tokenEvents,
  ...workspaceEvents,
};
