export { shapeTypeNames } from './recorded-answer-shape.ts';
export {
  actionPointOf,
  actionOf,
  answerOf,
  fieldNotes,
  meaningsOf,
  operationNotes,
  routeOf,
  serializationOf,
  timeOrderOf,
} from './wire-form.ts';
export { usesGames } from './bet-level.ts';
export { validatePayload } from './validate-payload.ts';
export { validateResponse } from './validate-response.ts';
export { documentedMessage, providerCodes } from './codes.ts';
export { combinedLength, combinedLimit } from './combined-values.ts';
export { commonRulesOf } from './common-rules.ts';
export { contextOf } from './request-context.ts';
export type { RequestContext } from './request-context.ts';
export { readDateTime } from './date-time.ts';
export { setField } from './fields.ts';
export { findingText, needsAttention, unreadFinding } from './findings.ts';
export { fittingForm, formOfFields, formOfPayload, formWith, memberNames } from './forms.ts';
export { findOpenPoint, openPointById, allOpenPoints } from './open-points.ts';
export { knownGames } from './known-games.ts';
export type { KnownGames } from './known-games.ts';
export * from '../model/operations.ts';
export * from './model.ts';
export { openPointLines } from './json-schemas.ts';
export { jsonSchemaDocument, openApiDocument } from './openapi.ts';
export { notShownOf } from './not-shown-in-spec.ts';
export { findOperation, formOf, isSigned, operationByName, operations, operationTitle, otherRequest } from './operations.ts';
export { answerProblem, answerWords, dayOf, findPoint, recordedAnswer, unstatedFields, valueOf } from './recorded-answers.ts';
export type { Recorded } from './recorded-answers.ts';
export { isRecordedStanding, notStatedMeaning, standingOf } from './field-standing.ts';
export { templateText } from './templates.ts';
