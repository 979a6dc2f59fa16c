import { amount } from '#shared/amount.ts';
import type { Environment, LeftBehind } from '#shared/ipc/index.ts';
import type { FoundCalls } from '../history/find-calls.ts';
import type { FoundInCollections } from './player-records.ts';
import type { Naming } from '../history/player-naming.ts';

/** The text of a tab in its file. `open`: in a window now. */
export interface KeptTabText {
  readonly file: string;
  readonly text: string;
  readonly open: boolean;
}

/** Findings beside the data to remove. */
export interface Beside {
  readonly naming: Naming;
  readonly found: FoundCalls | null;
  readonly inCollections: FoundInCollections;
  readonly unreadEvidence: readonly string[];
  /** Files of damaged histories that stay. */
  readonly setAside: readonly string[];
  readonly environments: readonly Environment[];
  readonly remembered: Readonly<Record<string, string>>;
  readonly tabs: Iterable<KeptTabText>;
  /** True if files of collections lose examples. */
  readonly changesFiles: boolean;
}

const mostFiles = 100;

/** Lists everything that forgetting does not reach, with what to do; the last three are never reached. */
export function leftBehind(beside: Beside): LeftBehind[] {
  const { naming, found, inCollections, unreadEvidence, setAside, environments, remembered, tabs, changesFiles } = beside;
  const { player } = naming;
  const left: LeftBehind[] = [];
  const add = (text: string, files: readonly string[] = [], removable = false) =>
    left.push({ text, files: files.slice(0, mostFiles), setAside: removable });

  const pending = (found?.calls ?? []).filter((call) => call.pending).length;
  if (pending > 0) add(`${amount(pending, 'call')} still waiting for a response. Forget the player again afterwards.`);
  if (inCollections.running.length > 0) {
    add(`${amount(inCollections.running.length, 'run')} still under way. Forget the player again afterwards.`);
  }
  const elsewhere = found?.elsewhere ?? 0;
  if (elsewhere > 0) {
    add(
      `${amount(elsewhere, 'other call')} with ${JSON.stringify(player)} outside playerId and playerIds, such as an amount, another ID or a note. Search the history for it.`,
    );
  }
  const shared = found?.sharedTokens ?? 0;
  if (shared > 0) {
    add(`${amount(shared, 'session token')} that another player's calls also contain. Calls with only such a token stay.`);
  }
  const filling = environments.filter(({ defaults }) => defaults.playerId === player).map(({ name }) => name);
  if (filling.length > 0) add(`The default player of ${filling.join(', ')}. Change it in the environment.`);
  if (Object.values(remembered).some((value) => naming.text(value))) {
    add('Values that the workbench remembers, such as a launcher field. Change the field.');
  }
  const [open, leftOpen]: [string[], string[]] = [[], []];
  for (const tab of tabs) if (naming.text(tab.text)) (tab.open ? open : leftOpen).push(tab.file);
  if (open.length > 0) add(`${amount(open.length, 'open tab')}. Close them.`, open);
  if (leftOpen.length > 0) {
    add(`${amount(leftOpen.length, 'tab')} of closed windows. Open them above the requests, then close them.`, leftOpen);
  }
  if (inCollections.fillingIn.length > 0) {
    add('Requests, variables and environments of collections that name the player. Edit the files.', inCollections.fillingIn);
  }
  if (inCollections.otherVersions.length > 0) {
    add(
      'Versions of collection files that other programs wrote, kept next to them. Compare and remove them.',
      inCollections.otherVersions,
    );
  }
  if (inCollections.unread.length > 0) add('Collection files that Croupier could not read.', inCollections.unread);
  if (inCollections.removed.length > 0) {
    add('Requests removed in this session, which can be restored until Croupier exits.', inCollections.removed);
  }
  if (unreadEvidence.length > 0) add('Evidence that Croupier could not read. Check it, and delete it yourself.', unreadEvidence);
  if (setAside.length > 0) {
    add("Damaged histories that were set aside. Croupier can't search them, but it can delete them all.", setAside, true);
  }
  add(
    changesFiles
      ? 'Git keeps earlier versions of the changed files, and so does every clone.'
      : 'Git keeps earlier versions of collection files.',
  );
  add('Files exported, saved or sent elsewhere, collections not open here, and data files of runs.');
  add('Backups, disk snapshots, and what the provider and your own systems keep.');
  return left;
}
