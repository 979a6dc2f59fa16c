// For commands that use no application.
export { createRedaction } from '../masking/redaction.ts';
export { judgeSigner, signerFiles, signerJunit, signerLine, signerVectors } from '../doctor/signer.ts';
export {
  fingerprintIn,
  openEvidenceKey,
  readEvidenceKey,
  verifyFiles,
  verifyPage,
  type FileState,
  type Verified,
} from '../evidence/signature.ts';
export { writeNewFileDurably } from '../files/files.ts';
export { vouched } from '../files/passed.ts';
export type { OpenPack } from '../packs/packs.ts';
export { resolveHome } from './home.ts';
export { createKeyDoctor } from './key-doctor.ts';
export { mergeReports } from './merge-reports.ts';
export { openPackFile } from './open-pack.ts';
export { findTraces, removeTraces, type Traces } from './traces.ts';
