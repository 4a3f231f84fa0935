import { z } from 'zod';
import { FEEDBACK_REASONS, MAX_FEEDBACK_CHARACTERS } from './feedback.ts';

/** A page sends at most this many events at once. */
export const MAX_EVENTS = 20;
/** And at most this many bytes. */
export const MAX_BATCH_BYTES = 8 * 1024;
/** What a page says of itself may be this old; browsers hold back what a hidden page sends. */
const MAX_AGE_MS = 60 * 60 * 1000;
/** Visible time of a page that counts. */
export const MAX_TIME_MS = 30 * 60 * 1000;

const milliseconds = z.number().min(0).max(1e10).transform(Math.round);
const path = z.string().min(1).max(500).startsWith('/');
const shared = { at: milliseconds, path };
const word = z.string().max(100);
const host = z
  .string()
  .max(253)
  .regex(/^[a-z0-9.:[\]_-]*$/i);

/** The actions of readers that are counted, each with what it was about. */
export const ACTIONS = ['copy-code', 'tab', 'language', 'version', 'assistant', 'page-menu', 'playground'] as const;

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
  z.object({ ...shared, t: z.literal('outbound'), to: z.string().min(1).max(500) }),
  z.object({ ...shared, t: z.literal('action'), name: z.enum(ACTIONS), detail: word.optional() }),
  z.object({
    ...shared,
    t: z.literal('feedback'),
    /** Chosen by the page; what is sent again under it replaces what was there. */
    id: z.string().regex(/^[\w-]{16,64}$/),
    helpful: z.boolean(),
    reason: z.enum(FEEDBACK_REASONS).optional(),
    comment: z.string().trim().max(MAX_FEEDBACK_CHARACTERS).optional(),
  }),
]);
export type ReaderEvent = z.infer<typeof readerEvent>;
/** What a reader says of a page. */
export type PageFeedback = Extract<ReaderEvent, { t: 'feedback' }>;

const batch = z.object({
  v: z.literal(1),
  /** Milliseconds since the page began, when the batch was sent. */
  now: milliseconds.optional(),
  events: z.array(z.unknown()).min(1).max(MAX_EVENTS),
});

/** An event and how long before the batch it happened. */
export interface AgedEvent {
  event: ReaderEvent;
  ageMs: number;
}

/** What a page sends at once. */
export interface Batch {
  events: AgedEvent[];
  refused: number;
}

/**
 * Reads what a page sends. Clocks of readers count for nothing: only the order of the page's own events does.
 * @returns undefined for a body that is no batch; events that are none are left out of it
 */
export function readBatch(body: string): Batch | undefined {
  const parsed = batch.safeParse(parseJson(body));
  if (!parsed.success) return undefined;
  const events = parsed.data.events.flatMap((event) => {
    const read = readerEvent.safeParse(event);
    return read.success ? [read.data] : [];
  });
  const newest = Math.max(0, ...events.map(({ at }) => at));
  const now = Math.max(newest, parsed.data.now ?? newest);
  return {
    events: events.map((event) => ({ event, ageMs: Math.min(now - event.at, MAX_AGE_MS) })),
    refused: parsed.data.events.length - events.length,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
