import { expect, it } from 'vitest';
import { statesBefore } from './job-state.ts';

it('an export job only moves forward, and a finished job is final', () => {
  expect(statesBefore('queued')).toEqual([]);
  expect(statesBefore('running')).toEqual(['queued', 'running']);
  expect(statesBefore('completed')).toEqual(['running']);
  expect(statesBefore('failed')).toEqual(['queued', 'running']);
});
