import { createHash } from 'node:crypto';
import type {
  AssistantExperiment,
  AssistantSettings,
} from '@docent/assistant/assistant-settings.ts';
import { oncePerObject } from '@docent/format/once.ts';

/** The settings of a conversation: those of the site, or the other ones. */
export type Variant = 'current' | 'other';

/** Digits of a ULID that tell the time. */
const TIME_DIGITS = 10;

/**
 * Returns the variant of a conversation, always the same one; undefined if it began before the
 * experiment.
 */
export function variantOf(
  { id, share }: Pick<AssistantExperiment, 'id' | 'share'>,
  threadId: string,
): Variant | undefined {
  if (threadId.slice(0, TIME_DIGITS) <= id.slice(0, TIME_DIGITS)) return undefined;
  const number = createHash('sha256').update(`${id} ${threadId}`).digest().readUInt32BE(0);
  return (number / 2 ** 32) * 100 < share ? 'other' : 'current';
}

const otherSettings = oncePerObject((settings: AssistantSettings): AssistantSettings => {
  const changes = Object.entries(settings.experiment?.settings ?? {});
  return { ...settings, ...Object.fromEntries(changes.filter(([, value]) => value !== undefined)) };
});

/** Returns the settings for a conversation. */
export function settingsOfThread(settings: AssistantSettings, threadId: string): AssistantSettings {
  const { experiment } = settings;
  const isOther = experiment && variantOf(experiment, threadId) === 'other';
  return isOther ? otherSettings(settings) : settings;
}
