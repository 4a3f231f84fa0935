import type { Insertable, Selectable } from 'kysely';
import type { Tables } from '../../ports/tables.ts';
import type { Fields } from './query-parts.ts';

export type ThreadRow = Pick<Fields<Selectable<Tables['threads']>>, 'id' | 'fp' | 'keyHash'>;

/** `page…` and `caller` are those of questions. */
export type NewMessage = Omit<
  Fields<Insertable<Tables['messages']>>,
  'position' | 'sources' | 'basis' | 'createdAt'
> &
  Pick<Fields<Selectable<Tables['messages']>>, 'sources' | 'createdAt'> &
  Partial<Pick<Fields<Selectable<Tables['messages']>>, 'basis'>>;

export interface NewThread extends ThreadRow {
  siteId: string;
  createdAt: Date;
}

/** Maximum stored length of a message; older, longer ones are truncated on reading. */
export const MESSAGE_CHARACTERS = 64_000;

/** A reader's feedback about an answer: the one with that id, or the newest of the thread. */
export interface Rating {
  threadId: string;
  messageId: string | undefined;
  /** Null withdraws the feedback. */
  helpful: boolean | null;
  comment: string | null;
  ratedAt: Date;
}
