export { shapeTypeNames } from './answer-shape.ts';
export type { ShapeType } from './answer-shape.ts';
export {
  actionGapOf,
  actionOf,
  answerOf,
  codesOf,
  fieldNotes,
  meaningsOf,
  operationNotes,
  routeOf,
  serializationOf,
  timeOrderOf,
} from './answers.ts';
export type { Route } from './answers.ts';
export type { AnswerValue } from './answer-text.ts';
export { usesGames } from './bet-level.ts';
export { checkPayload } from './check-payload.ts';
export { readAnswer } from './check-response.ts';
export type { ResponseContext } from './check-response.ts';
export { codeNotes } from './code-notes.ts';
export { documentedMessage, providerCodes } from './codes.ts';
export { combinedLength, combinedLimit } from './combined-values.ts';
export { commonRulesOf } from './common-rules.ts';
export { contextOf } from './context.ts';
export type { RequestContext } from './context.ts';
export { readDateTime } from './date-time.ts';
export { requestEnvelope, responseEnvelope } from './envelope-fields.ts';
export type { EnvelopeField } from './envelope-fields.ts';
export { fieldValueJson, setField } from './fields.ts';
export { findingText, needsAttention, unreadFinding } from './findings.ts';
export { formWith } from './forms.ts';
export { findGap, gapById, specGaps } from './gaps.ts';
export { knownGames } from './known-games.ts';
export type { KnownGame, KnownGames } from './known-games.ts';
export * from '../model/operations.ts';
export * from './model.ts';
export { notShownOf } from './not-shown.ts';
export type { NotShown } from './not-shown.ts';
export { launchParameters } from './operations-launch.ts';
export type { LaunchParameter } from './operations-launch.ts';
export { findOperation, formOf, operationByName, operations } from './operations.ts';
export { answerProblem, answerWords, findPoint, readPointAnswer, recordedAnswer, unstatedFields, valueOf } from './recorded.ts';
export type { Recorded } from './recorded.ts';
export { isRecordedStanding, notStatedMeaning, standingNote, standingOf } from './standing.ts';
export type { Standing } from './standing.ts';
export { templateText } from './templates.ts';
export type { TemplateOptions } from './templates.ts';
export type { TimeOrder } from '../signing/time.ts';
