/** Start options of the embedded database's worker. */
export interface PgliteWorkerData {
  /** If absent, everything stays in memory. */
  folder?: string;
  templateFile?: string;
}

/** `connection` is the number of the pool's connection. The pool opens a new one after each failed query. */
export type ToPgliteWorker =
  | { type: 'data'; connection: number; bytes: Uint8Array }
  | { type: 'disconnect'; connection: number }
  | { type: 'close' };

export type FromPgliteWorker =
  | { type: 'ready'; source: 'opened' | 'template' | 'initialized' }
  | { type: 'data'; connection: number; bytes: Uint8Array }
  /** The connection ended because its client asked, or with the error in `message`. */
  | { type: 'end'; connection: number; message?: string }
  | { type: 'log'; line: string }
  | { type: 'closed' }
  /** The engine cannot start or cannot continue. */
  | { type: 'failed'; message: string };
