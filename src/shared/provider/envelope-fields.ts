/** One field of the envelope around every call to /serviceApi.php (spec, Request envelope and Response envelope). */
export interface EnvelopeField {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'object' | 'any';
  readonly required: 'yes' | 'operation';
  readonly notes: string;
}

/** The fields of a request in the spec's order; `operation` means that the operation decides. */
export const requestEnvelope: readonly EnvelopeField[] = [
  { name: 'action', type: 'string', required: 'yes', notes: 'Name of the operation.' },
  { name: 'platform', type: 'integer', required: 'yes', notes: 'Platform identifier, unique per platform.' },
  {
    name: 'partnerId',
    type: 'integer',
    required: 'yes',
    notes: 'Identifier of the partner on the platform; elsewhere described as a number.',
  },
  { name: 'time', type: 'string', required: 'yes', notes: 'Time of the request, as dd-mm-yyyy hh:mm:ss.' },
  { name: 'data', type: 'object', required: 'operation', notes: 'Payload of the operation. gameList has none.' },
  {
    name: 'hash',
    type: 'string',
    required: 'yes',
    notes: 'SHA-256 of the private key, time and the JSON text of data, as lowercase hexadecimal digits.',
  },
  { name: 'currency', type: 'string', required: 'operation', notes: 'gameList only, for example a three-letter code.' },
];

/** The fields of a response in the spec's order. */
export const responseEnvelope: readonly EnvelopeField[] = [
  { name: 'code', type: 'integer', required: 'yes', notes: '0 on success, any other number on rejection.' },
  { name: 'message', type: 'string', required: 'yes', notes: 'A string; ok on success.' },
  { name: 'data', type: 'any', required: 'yes', notes: 'Result: an object or an array; null on rejection.' },
];
