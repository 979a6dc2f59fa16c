/** The thread of one export: it reads the calls on a connection of its own and writes a slice at a time, on request. */
import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '#shared/errors.ts';
import { createCallReader } from '../../history/call-reader.ts';
import { storageFailure } from '../../files/disk-failures.ts';
import { createSlices, type ExportQuestion, type ExportReply, type ExportThreadData } from './export-job.ts';

const port = parentPort;
if (port === null) throw new Error('This file runs as a thread of Croupier.');
const { historyPath, source, unrecorded } = workerData as ExportThreadData;
const answers = new Map(unrecorded);
let slices: ReturnType<typeof createSlices> | null = null;

function reply(question: ExportQuestion): ExportReply {
  try {
    if (question === 'next' && slices !== null) return { slice: slices.next() };
    const reader = createCallReader(historyPath);
    slices = createSlices(source, { ...reader, part: (id, part) => answers.get(id)?.[part] ?? reader.part(id, part) });
    return { start: slices.begin() };
  } catch (thrown) {
    const error = storageFailure(historyPath, thrown);
    if (error instanceof AppError) {
      const { code, message, details } = error;
      return { error: { code, message, ...(details === undefined ? {} : { details }) } };
    }
    if (error instanceof RangeError) return { exceeded: true };
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

port.on('message', (question: ExportQuestion) => port.postMessage(reply(question)));
