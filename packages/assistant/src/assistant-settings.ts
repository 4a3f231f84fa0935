import type { SearchRules } from '@docent/search/search-rules.ts';

/** Assistant settings of a site, set by its owners. Its search has the rules too. */
export interface AssistantSettings extends SearchRules {
  enabled: boolean;
  /** The name of one of the platform's additional models; null for the default. */
  model: string | null;
  /**
   * What the owners ask of a language model: product facts, tone, what to recommend. Quotes do not
   * depend on it.
   */
  instructions: string | null;
  /**
   * Tokens that language models may use for the site on a UTC day; then pages are quoted. Null for
   * no limit.
   */
  tokensPerDay: number | null;
  /** Origins of web pages that may ask questions; empty for all. */
  allowedOrigins: string[];
  /** Continuing a conversation requires its secret, also for the reader who started it. */
  requireThreadKey: boolean;
  /** Requests must include a proof of work. */
  botCheck: boolean;
  /** Suggested first questions. */
  starterQuestions: string[];
  /** Where readers get help when the documentation has no answer. */
  supportEmail: string | null;
  supportUrl: string | null;
  /** Readers may leave an address to be told when a question is answered, by mail. */
  tellsReaders: boolean;
  /** Inactive threads are deleted after this time. */
  retentionDays: number;
  experiment?: AssistantExperiment | null;
}

/** Other settings for some conversations, so that owners can compare what comes of both. */
export interface AssistantExperiment {
  /** A ULID of its start. Conversations from before have no part in it. */
  id: string;
  /** ISO 8601 */
  startedAt: string;
  /** Percentage of the conversations that have the other settings. */
  share: number;
  /** What is different. */
  settings: {
    [Name in 'model' | 'instructions' | 'synonyms' | 'pageRules']?:
      | AssistantSettings[Name]
      | undefined;
  };
}

export const defaultAssistantSettings: AssistantSettings = {
  enabled: true,
  model: null,
  instructions: null,
  synonyms: [],
  pageRules: [],
  tokensPerDay: null,
  allowedOrigins: [],
  requireThreadKey: false,
  botCheck: false,
  starterQuestions: [],
  supportEmail: null,
  supportUrl: null,
  tellsReaders: false,
  retentionDays: 90,
};

/**
 * Returns where readers get help, as Markdown links; undefined if the owners configured nothing.
 */
export function supportLinks({ supportEmail, supportUrl }: AssistantSettings): string | undefined {
  const ways = [
    ...(supportUrl === null ? [] : [`[${supportUrl.replace(/^https?:\/\//, '')}](${supportUrl})`]),
    ...(supportEmail === null ? [] : [`[${supportEmail}](mailto:${supportEmail})`]),
  ];
  return ways.length === 0 ? undefined : ways.join(' · ');
}
