import { defaultAssistantSettings } from '@docent/assistant/assistant-settings.ts';
import { expect, it } from 'vitest';
import { createUlid } from '../kernel/ids.ts';
import { settingsOfThread, variantOf } from './experiment.ts';

const startedAt = new Date('2026-11-21T10:00:00Z');
const experiment = {
  ...{ id: createUlid(startedAt), startedAt: startedAt.toISOString(), share: 25 },
  settings: { instructions: 'Short.', model: undefined },
};
const settings = { ...defaultAssistantSettings, model: 'fast', experiment };
const later = () => createUlid(new Date(startedAt.getTime() + 1000));

it('an experiment has its share of the conversations that begin after it, each always with the same settings', () => {
  const threads = Array.from({ length: 4000 }, later);
  const variants = threads.map((thread) => variantOf(experiment, thread));
  expect(threads.map((thread) => variantOf(experiment, thread))).toEqual(variants);
  const share = variants.filter((variant) => variant === 'other').length / threads.length;
  expect(share).toBeGreaterThan(0.2);
  expect(share).toBeLessThan(0.3);
  const earlier = createUlid(new Date(startedAt.getTime() - 1000));
  expect(variantOf(experiment, earlier)).toBeUndefined();
  expect(settingsOfThread(settings, earlier)).toBe(settings);
});

it('the other settings of an experiment replace those of the site that they name', () => {
  const other = Array.from({ length: 200 }, later).find(
    (thread) => variantOf(experiment, thread) === 'other',
  ) as string;
  const { instructions, model } = settingsOfThread(settings, other);
  expect({ instructions, model }).toEqual({ instructions: 'Short.', model: 'fast' });
  // The same object, which caches of the search rules know.
  expect(settingsOfThread(settings, other)).toBe(settingsOfThread(settings, other));
});
