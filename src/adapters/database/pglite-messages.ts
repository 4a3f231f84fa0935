/** What the worker of the embedded database is started with. */
export interface PgliteWorkerData {
  /** Absent: everything stays in memory. */
  folder?: string;
  templateFile?: string;
}

/** `connection` numbers the connections of the pool, which makes a new one after each failed query. */
export type ToPgliteWorker =
  | { type: 'data'; connection: number; bytes: Uint8Array }
  | { type: 'disconnect'; connection: number }
  | { type: 'close' };

export type FromPgliteWorker =
  | { type: 'ready'; source: 'opened' | 'template' | 'initialised' }
  | { type: 'data'; connection: number; bytes: Uint8Array }
  /** The connection ended as its client asked, or with the fault in `message`. */
  | { type: 'end'; connection: number; message?: string }
  | { type: 'log'; line: string }
  | { type: 'closed' }
  /** The engine cannot start or cannot go on. */
  | { type: 'failed'; message: string };
