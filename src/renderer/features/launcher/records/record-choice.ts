import type { StorePart } from '#renderer/ui/store-part.ts';
import type { RecordGroup } from '../launch-words.ts';

/** The entries of a record that are shown. */
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

/** Creates the part of the store that holds this choice. */
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
