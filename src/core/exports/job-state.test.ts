import { expect, it } from 'vitest';
import { statesBefore } from './job-state.ts';

it('an export job goes forward only, and a finished one stays as it is', () => {
  expect(statesBefore('queued')).toEqual([]);
  expect(statesBefore('running')).toEqual(['queued', 'running']);
  expect(statesBefore('completed')).toEqual(['running']);
  expect(statesBefore('failed')).toEqual(['queued', 'running']);
});
