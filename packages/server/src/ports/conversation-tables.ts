import type { AnswerBasis } from '@docent/assistant/answer-basis.ts';
import type { AnswerStatus } from '@docent/assistant/chat/answer-status.ts';
import type { Caller } from '@docent/assistant/chat/chat-request.ts';
import type { FeedbackSource, FeedbackStatus } from '@docent/format/analytics/feedback.ts';
import type { ColumnType, Generated } from 'kysely';
import type { CreatedAt, Json, UpdatedAt } from './column-types.ts';

/** The columns of the tables about what readers ask and say. */
export interface ConversationTables {
  /** Readers who left an address to be told when a question is answered. */
  waiting_readers: {
    /** The answer that was none. */
    message_id: string;
    site_id: string;
    /** Encrypted. */
    address: string;
    /** Names the address on this site, in the link that deletes it. */
    address_key: string;
    /** Path of the page that answers, once there is one. */
    page: string | null;
    created_at: Date;
    expires_at: Date;
  };
  threads: {
    id: string;
    site_id: string;
    fp: string;
    /** Hex SHA-256 of the thread key. */
    key_hash: string;
    created_at: CreatedAt;
    updated_at: UpdatedAt;
  };
  messages: {
    id: string;
    thread_id: string;
    /** Order inside the thread. */
    position: Generated<number>;
    role: 'user' | 'assistant';
    content: string;
    sources: Json<{ title: string; url: string }[]>;
    /** `incomplete`: the model failed or the reader left. */
    status: 'complete' | 'incomplete';
    model: string | null;
    input_tokens: number | null;
    output_tokens: number | null;
    /**
     * Null on questions. For the previous version, which knows no other words; `coverage` says
     * more.
     */
    outcome: 'answered' | 'not_in_docs' | 'aborted' | 'failed' | null;
    /**
     * How far a whole answer covers its question; null on questions and on answers from before it
     * was stored.
     */
    coverage: AnswerStatus | null;
    /** Null on questions and on answers from before it was stored. */
    basis: Json<AnswerBasis | null>;
    first_text_ms: number | null;
    duration_ms: number | null;
    /** Of questions: the page on which it was asked, if the caller sent it. */
    page_path: string | null;
    page_version: string | null;
    page_language: string | null;
    /** Of questions; null on those from before it was stored. */
    caller: Caller | null;
    created_at: CreatedAt;
  };
  model_usage: {
    site_id: string;
    /** UTC, as YYYY-MM-DD. */
    day: string;
    model: string;
    answers: number;
    input_tokens: number;
    output_tokens: number;
  };
  feedback: {
    site_id: string;
    id: string;
    /** The answer that it is about; null if it is about a page. */
    message_id: string | null;
    preview_id: string | null;
    source: FeedbackSource;
    path: string | null;
    version: Generated<string>;
    language: Generated<string>;
    helpful: boolean | null;
    reason: string | null;
    comment: string | null;
    status: Generated<FeedbackStatus>;
    note: ColumnType<string | null, never, string | null>;
    handled_by: ColumnType<string | null, never, string | null>;
    created_at: Date;
  };
}
