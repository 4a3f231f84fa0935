import * as z from 'zod';
import { outboundAddress } from './analytics-event.ts';
import { FEEDBACK_REASONS, MAX_FEEDBACK_CHARACTERS } from './feedback.ts';

/** Maximum events of a batch. */
export const MAX_EVENTS = 20;
/** Maximum bytes of a batch. */
export const MAX_BATCH_BYTES = 8 * 1024;
/** Maximum age of an event; browsers delay what a hidden page sends. */
const MAX_AGE_MS = 60 * 60 * 1000;
/** Maximum visible time that counts for a page. */
export const MAX_TIME_MS = 30 * 60 * 1000;

const milliseconds = z.number().min(0).max(1e10).transform(Math.round);
const path = z.string().min(1).max(500).startsWith('/');
const shared = { at: milliseconds, path };
const word = z.string().max(100);
const host = z
  .string()
  .max(253)
  .regex(/^[a-z0-9.:[\]_-]*$/i);

/** The counted actions of readers, each with its subject. */
export const ACTIONS = [
  'copy-code',
  'tab',
  'language',
  'version',
  'assistant',
  'question',
  'page-menu',
  'playground',
] as const;

const readerEvent = z.discriminatedUnion('t', [
  z.object({
    ...shared,
    t: z.literal('page'),
    from: host.optional(),
    campaign: z.tuple([word, word, word, word]).optional(),
    reload: z.boolean().optional(),
  }),
  z.object({ ...shared, t: z.literal('time'), ms: z.number().min(0).max(1e10) }),
  z.object({ ...shared, t: z.literal('missing'), from: host.optional() }),
  z.object({
    ...shared,
    t: z.literal('search'),
    query: z.string().trim().min(1).max(400),
    results: z.int().min(0).max(10_000),
    opened: path.optional(),
    position: z.int().min(1).max(1000).optional(),
  }),
  z.object({
    ...shared,
    t: z.literal('outbound'),
    to: z
      .string()
      .max(500)
      .refine((to) => outboundAddress(to) !== ''),
  }),
  z.object({ ...shared, t: z.literal('action'), name: z.enum(ACTIONS), detail: word.optional() }),
  z.object({
    ...shared,
    t: z.literal('feedback'),
    /** Chosen by the page; sending it again replaces the earlier feedback. */
    id: z.string().regex(/^[\w-]{16,64}$/),
    helpful: z.boolean(),
    reason: z.enum(FEEDBACK_REASONS).optional(),
    comment: z.string().trim().max(MAX_FEEDBACK_CHARACTERS).optional(),
  }),
]);
export type ReaderEvent = z.infer<typeof readerEvent>;
/** An event that a page reports. */
export type PageFeedback = Extract<ReaderEvent, { t: 'feedback' }>;

const batch = z.object({
  v: z.literal(1),
  /** Milliseconds from the start of the page to the sending of the batch. */
  now: milliseconds.optional(),
  events: z.array(z.unknown()).min(1).max(MAX_EVENTS),
});

/** A batch of events from a page. */
export type Batch = NonNullable<ReturnType<typeof readBatch>>;

/**
 * Parses a batch of events. Clocks of readers are not trusted: only the order of the page's own
 * events counts.
 * @returns the events with their ages when the batch was sent, without invalid ones; undefined for
 *   an invalid batch
 */
export function readBatch(body: string) {
  const parsed = batch.safeParse(parseJson(body));
  if (!parsed.success) return undefined;
  const events = parsed.data.events.flatMap((event) => {
    const read = readerEvent.safeParse(event);
    return read.success ? [read.data] : [];
  });
  const newest = Math.max(0, ...events.map(({ at }) => at));
  const now = Math.max(newest, parsed.data.now ?? newest);
  return events.map((event) => ({ event, ageMs: Math.min(now - event.at, MAX_AGE_MS) }));
}

/** Returns the value of a JSON text; undefined if it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
