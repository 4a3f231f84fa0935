/** `contextual`: with words; `thumbs_only`: without; `agent`: sent by a program. The names are those of the format's own API. */
export const FEEDBACK_SOURCES = ['contextual', 'thumbs_only', 'code_snippet', 'agent'] as const;
export type FeedbackSource = (typeof FEEDBACK_SOURCES)[number];

export const FEEDBACK_STATUSES = ['pending', 'in_progress', 'resolved', 'dismissed'] as const;
export type FeedbackStatus = (typeof FEEDBACK_STATUSES)[number];

/** Why a page did not help. */
export const FEEDBACK_REASONS = ['missing', 'wrong', 'unclear', 'other'] as const;
export type FeedbackReason = (typeof FEEDBACK_REASONS)[number];

/** Characters of what a reader or an agent writes. */
export const MAX_FEEDBACK_CHARACTERS = 2000;
