import type { Input, PastedRequest } from '#shared/ipc/index.ts';
import type { Language } from '#shared/doctor/model.ts';
import type { Fidelity } from '#shared/model/fidelity.ts';
import type { OperationName } from '#shared/model/operations.ts';

/** Parts of a request that the user sees and may change. Empty means that it is not known; an empty `dataText`, that there is no data. */
interface DoctorFields {
  readonly action: string;
  readonly time: string;
  readonly dataText: string;
  readonly hash: string;
}

export type FieldName = keyof DoctorFields;

/** The examined request: what was recognised, with the user's changes. */
export interface Subject {
  readonly fields: DoctorFields;
  /** Trust in `dataText`; null for data that was typed here, or none. */
  readonly fidelity: Fidelity | null;
  /** The language of the program that wrote it; null if it does not show. */
  readonly language: Language | null;
  readonly operations: readonly OperationName[];
  /** As JSON text; empty if the envelope has none. */
  readonly platform: string;
  readonly partnerId: string;
  /** The extra field of gameList. */
  readonly currency: string | null;
  /** Fields that a program masked or truncated. */
  readonly missing: readonly string[];
}

export const emptySubject: Subject = {
  fields: { action: '', time: '', dataText: '', hash: '' },
  fidelity: null,
  language: null,
  operations: [],
  platform: '',
  partnerId: '',
  currency: null,
  missing: [],
};

/** Returns what is examined of a pasted request; `hash` is a digest that stood beside it, for a request without one. */
export function subjectOf(request: PastedRequest, hash: string | null): Subject {
  const { action, time, dataText, fidelity, language, operations, platform, partnerId, currency, missing } = request;
  return {
    fields: { action: action ?? '', time: time ?? '', dataText: dataText ?? '', hash: request.hash ?? hash ?? '' },
    fidelity: dataText === null ? null : fidelity,
    language,
    operations,
    platform: platform ?? '',
    partnerId: partnerId ?? '',
    currency,
    missing,
  };
}

/** Returns the subject with another text in one of its fields. Data that was typed is nobody's exact bytes. */
export function withField(subject: Subject, name: FieldName, text: string): Subject {
  const fields = { ...subject.fields, [name]: text };
  const missing = subject.missing.filter((field) => (name === 'dataText' ? field.split('.')[0] !== 'data' : field !== name));
  return {
    ...subject,
    fields,
    missing,
    fidelity: name === 'dataText' ? null : subject.fidelity,
    operations: name === 'action' ? [] : subject.operations,
  };
}

/** Returns whether there is enough to search: a time and a hash. */
export function canSearch({ fields: { time, hash } }: Subject): boolean {
  return time !== '' && hash.trim() !== '';
}

/** Returns the request without its hash. */
export function comparedOf({ fields, platform, partnerId }: Subject): Input<'doctor.compare'>['request'] {
  const { action, time, dataText } = fields;
  return { action, platform, partnerId, time, dataText: dataText === '' ? null : dataText };
}

/** Returns the input of a search. */
export function questionOf(subject: Subject): Pick<Input<'doctor.search'>, 'request' | 'fidelity' | 'language' | 'missing'> {
  return {
    request: { ...comparedOf(subject), hash: subject.fields.hash.trim() },
    // Only `exact` claims that this is the text that was sent.
    fidelity: subject.fidelity ?? 'reencoded',
    missing: [...subject.missing],
    language: subject.language,
  };
}
