import { expect, it } from 'vitest';
import { operationByName } from '#shared/provider/index.ts';
import { formThatFits } from './fitting-form.ts';

const operation = operationByName('freeRounds');
const single = '{"playerId":"p1","externalReferenceId":"r1"}';
const several = '{"playerIds":"p1,p2","externalReferenceIds":"r1,r2"}';
const withAmount = '{"playerIds":"p1,p2","externalReferenceIds":"r1,r2","amount":1}';

it('takes the form of the fields that a paste brings', () => {
  expect(formThatFits(operation, 'single', { before: single, after: several })).toBe('multi');
  expect(formThatFits(operation, 'single', { before: '', after: withAmount })).toBe('multiAmount');
  expect(formThatFits(operation, 'multi', { before: several, after: withAmount })).toBe('multiAmount');
  expect(formThatFits(operation, 'multiAmount', { before: withAmount, after: single })).toBe('single');
});

it('stays with the form that was chosen while nothing comes that another one has, and while the text is no object', () => {
  expect(formThatFits(operation, 'single', { before: several, after: several.replace('p2', 'p3') })).toBeNull();
  expect(formThatFits(operation, 'single', { before: single, after: '{"playerIds":' })).toBeNull();
  expect(formThatFits(operation, 'single', { before: single, after: '{"playerId":"p1","unknown":1}' })).toBeNull();
  expect(formThatFits(operationByName('gameList'), 'main', { before: '', after: several })).toBeNull();
});
