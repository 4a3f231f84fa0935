import type {
  DeliveryState,
  EventMessage,
  WebhookEvent,
  WebhookFormat,
} from '@docent/format/webhooks/events.ts';
import type { ColumnType, Generated } from 'kysely';

type CreatedAt = ColumnType<Date, Date | undefined, never>;

/** The columns of the tables about webhooks that are sent. */
export interface WebhookTables {
  webhooks: {
    id: string;
    organization_id: string;
    /** Null: events of all sites. */
    site_id: string | null;
    name: string;
    url: string;
    format: WebhookFormat;
    events: WebhookEvent[];
    enabled: boolean;
    /** Signs deliveries, encrypted. The former one signs too for a day after it was replaced. */
    secret: string;
    former_secret: Generated<string | null>;
    former_until: Generated<Date | null>;
    /** As in the audit log. */
    made_by: string | null;
    created_at: CreatedAt;
  };
  /** Limits whose reaching was sent, by organization, site and day. */
  announced_limits: {
    id: string;
    announced_at: Date;
  };
  webhook_deliveries: {
    id: string;
    webhook_id: string;
    /** The same in each attempt, and when it is sent again. */
    message_id: string;
    event: EventMessage['type'];
    message: ColumnType<EventMessage, string, string>;
    state: DeliveryState;
    attempts: Generated<number>;
    /** Of the last answer. */
    status: Generated<number | null>;
    answer: Generated<string | null>;
    error: Generated<string | null>;
    created_at: CreatedAt;
    ended_at: Generated<Date | null>;
  };
}
