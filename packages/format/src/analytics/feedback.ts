/**
 * `contextual`: with text; `thumbs_only`: without; `agent`: sent by a program. The names are those of the format's own API.
 */
export const FEEDBACK_SOURCES = ['contextual', 'thumbs_only', 'code_snippet', 'agent'] as const;
export type FeedbackSource = (typeof FEEDBACK_SOURCES)[number];

export const FEEDBACK_STATUSES = ['pending', 'in_progress', 'resolved', 'dismissed'] as const;
export type FeedbackStatus = (typeof FEEDBACK_STATUSES)[number];

/** The status of feedback that nobody has handled yet: praise without a word asks for nothing. */
export function statusOfNew({
  helpful,
  source,
}: {
  helpful: boolean | null;
  source: FeedbackSource;
}): FeedbackStatus {
  return helpful === true && source === 'thumbs_only' ? 'resolved' : 'pending';
}

/** Why a page was not helpful. */
export const FEEDBACK_REASONS = ['missing', 'wrong', 'unclear', 'other'] as const;
export type FeedbackReason = (typeof FEEDBACK_REASONS)[number];

/** Maximum characters of a comment by a reader or an agent. */
export const MAX_FEEDBACK_CHARACTERS = 2000;
