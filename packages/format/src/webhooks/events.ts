/** What webhooks are sent about. */
export const WEBHOOK_EVENTS = [
  'deployment.started',
  'deployment.succeeded',
  'deployment.failed',
  'preview.ready',
  'preview.ended',
  'export.completed',
  'export.failed',
  'feedback.created',
  'question.unanswered',
  'key.expiring',
  'limit.reached',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/**
 * What the receiver reads: the event itself by Standard Webhooks, or a message for a channel of
 * Slack or Teams.
 */
export const WEBHOOK_FORMATS = ['standard', 'slack', 'teams'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** `canceled`: the webhook was turned off before the receiver accepted it. */
export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'canceled'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** What happened, with its details. */
export interface EventMessage {
  type: WebhookEvent | 'test';
  /** ISO 8601. */
  timestamp: string;
  data: {
    /** What it is about, in a few words. */
    title: string;
    /** Where it can be seen; null if nowhere. */
    url: string | null;
    projectId: string | null;
    /** Identifier of the site. */
    site: string | null;
    [detail: string]: unknown;
  };
}

const SENTENCES: Record<EventMessage['type'], string> = {
  'deployment.started': 'is being built',
  'deployment.succeeded': 'is deployed',
  'deployment.failed': 'could not be deployed',
  'preview.ready': 'has a new preview',
  'preview.ended': 'has lost a preview',
  'export.completed': 'is exported',
  'export.failed': 'could not be exported',
  'feedback.created': 'has new feedback',
  'question.unanswered': 'has a question that it does not answer',
  'key.expiring': 'key about to expire',
  'limit.reached': 'limit reached',
  test: 'Docent sends a test',
};

/** Returns the body that a receiver of that format reads. */
export function webhookBody(format: WebhookFormat, message: EventMessage): string {
  if (format === 'standard') return JSON.stringify(message);
  return JSON.stringify(format === 'slack' ? { text: slackText(message) } : teamsMessage(message));
}

function sentenceOf(
  { type, data: { site, title } }: EventMessage,
  quote: (text: string) => string,
): string {
  return [site && quote(site), SENTENCES[type], title && `(${quote(title)})`]
    .filter(Boolean)
    .join(' ');
}

/** Slack reads `<…>` as links and mentions. */
function slackText(message: EventMessage): string {
  const quote = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const { url } = message.data;
  return `${sentenceOf(message, quote)}${url === null ? '' : ` <${quote(url).replaceAll('|', '%7C')}|Open>`}`;
}

/** Teams reads Markdown in cards, so what authors and readers wrote is without its characters. */
function teamsMessage(message: EventMessage): object {
  const text = sentenceOf(message, (words) =>
    words.replaceAll(/[[\]*_`<>#\\]/g, ' ').replaceAll(/ {2,}/g, ' '),
  );
  const { url } = message.data;
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.2',
          body: [{ type: 'TextBlock', text, wrap: true }],
          ...(url !== null && { actions: [{ type: 'Action.OpenUrl', title: 'Open', url }] }),
        },
      },
    ],
  };
}
