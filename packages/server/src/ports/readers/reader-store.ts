import type { SessionMethod, StoredMethods, StoredReader } from './reader-tables.ts';

/** Who may read a site, as it is stored. */
export interface AccessRow {
  isPrivate: boolean;
  sessionDays: number;
  methods: StoredMethods;
}

/** How a reader signed in. */
export interface SignIn {
  method: SessionMethod;
  /** Of the way to sign in, when the reader began to prove who they are. */
  generation: string;
  reader: StoredReader;
  /** For members: their account. */
  userId?: string;
  /** For an admin who sees the site as a reader: their session of the dashboard. */
  viewerSessionId?: string;
  /** What owners see of the reader. */
  name?: string | undefined;
  /** When the session ends at the latest. */
  expiresAt?: Date | undefined;
}

/** What a sign-in of readers reads and writes. */
export interface ReaderStore {
  accessOf(siteId: string): Promise<AccessRow>;
  /** Remembers a proof until it expires. @returns false if it was used before */
  useProof(id: string, expiresAt: Date): Promise<boolean>;
  isUsedProof(id: string): Promise<boolean>;
  /**
   * Starts a session. @returns the value of the cookie, and when it expires
   * @throws DocentError `sign_in_required` saying why this reader is refused
   */
  startSession(
    site: { siteId: string; sessionDays: number },
    signIn: SignIn,
  ): Promise<{ token: string; expiresAt: Date }>;
  endSession(siteId: string, sessionId: string): Promise<void>;
}
