export { shapeTypeNames } from './recorded-answer-shape.ts';
export type { ShapeType } from './recorded-answer-shape.ts';
export {
  actionPointOf,
  actionOf,
  answerOf,
  codesOf,
  fieldNotes,
  meaningsOf,
  operationNotes,
  routeOf,
  serializationOf,
  timeOrderOf,
} from './wire-form.ts';
export type { Route } from './wire-form.ts';
export type { AnswerValue } from './recorded-answer-text.ts';
export { usesGames } from './bet-level.ts';
export { checkPayload } from './check-payload.ts';
export { readAnswer } from './check-response.ts';
export type { ResponseContext } from './check-response.ts';
export { codeNotes } from './code-notes.ts';
export { documentedMessage, providerCodes } from './codes.ts';
export { combinedLength, combinedLimit } from './combined-values.ts';
export { commonRulesOf } from './common-rules.ts';
export { contextOf } from './request-context.ts';
export type { RequestContext } from './request-context.ts';
export { readDateTime } from './date-time.ts';
export { requestEnvelope, responseEnvelope } from './envelope-fields.ts';
export type { EnvelopeField } from './envelope-fields.ts';
export { fieldValueJson, setField } from './fields.ts';
export { findingText, needsAttention, unreadFinding } from './findings.ts';
export { formWith } from './forms.ts';
export { findOpenPoint, openPointById, allOpenPoints } from './open-points.ts';
export { knownGames } from './known-games.ts';
export type { KnownGame, KnownGames } from './known-games.ts';
export * from '../model/operations.ts';
export * from './model.ts';
export { notShownOf } from './not-shown-in-spec.ts';
export type { NotShown } from './not-shown-in-spec.ts';
export { launchParameters } from './operations-launch.ts';
export type { LaunchParameter } from './operations-launch.ts';
export { findOperation, formOf, operationByName, operations } from './operations.ts';
export {
  answerProblem,
  answerWords,
  findPoint,
  readPointAnswer,
  recordedAnswer,
  unstatedFields,
  valueOf,
} from './recorded-answers.ts';
export type { Recorded } from './recorded-answers.ts';
export { isRecordedStanding, notStatedMeaning, standingNote, standingOf } from './field-standing.ts';
export type { Standing } from './field-standing.ts';
export { templateText } from './templates.ts';
export type { TemplateOptions } from './templates.ts';
export type { TimeOrder } from '../signing/time.ts';
