import type { StorePart } from '#renderer/ui/store-part.ts';
import type { RecordGroup } from './launch-words.ts';

/** Which entries of a record are shown. */
export interface RecordChoice {
  readonly group: RecordGroup;
  readonly filter: string;
  readonly follow: boolean;
}

export interface RecordChoiceState extends RecordChoice {
  readonly setGroup: (group: RecordGroup) => void;
  readonly setFilter: (text: string) => void;
  readonly setFollow: (follow: boolean) => void;
}

/** Creates the part of the store that holds what is shown of a record. */
export function createRecordChoice({ setState: set }: Pick<StorePart<RecordChoice>, 'setState'>): RecordChoiceState {
  return {
    group: 'all',
    filter: '',
    follow: true,
    setGroup: (group) => set({ group }),
    setFilter: (filter) => set({ filter }),
    setFollow: (follow) => set({ follow }),
  };
}
