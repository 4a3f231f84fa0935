/** What the owners of a site decide about its assistant. */
export interface AssistantSettings {
  /** Whether it answers at all. */
  enabled: boolean;
  /** One of the platform's further models, by its name; null for the platform's own. */
  model: string | null;
  /** Origins of web pages that may ask; every one where the list is empty. */
  allowedOrigins: string[];
  /** A conversation goes on only with its secret, also for the reader who began it. */
  requireThreadKey: boolean;
  /** A request has to bring a proof of work. */
  botCheck: boolean;
  /** Questions that are offered before the first one. */
  starterQuestions: string[];
  /** Where readers are pointed to when the documentation has no answer. */
  supportEmail: string | null;
  supportUrl: string | null;
  /** Threads that nobody wrote in for so long are deleted. */
  retentionDays: number;
}

export const defaultAssistantSettings: AssistantSettings = {
  enabled: true,
  model: null,
  allowedOrigins: [],
  requireThreadKey: false,
  botCheck: false,
  starterQuestions: [],
  supportEmail: null,
  supportUrl: null,
  retentionDays: 90,
};

/** Where readers are pointed to, as links in Markdown; undefined where the owners name nothing. */
export function supportLinks({ supportEmail, supportUrl }: AssistantSettings): string | undefined {
  const ways = [
    ...(supportUrl === null ? [] : [`[${supportUrl.replace(/^https?:\/\//, '')}](${supportUrl})`]),
    ...(supportEmail === null ? [] : [`[${supportEmail}](mailto:${supportEmail})`]),
  ];
  return ways.length === 0 ? undefined : ways.join(' · ');
}
