/** A message to one person, as plain text. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Sends mail. */
export interface Mailer {
  /** Hands a message to the mail server. @throws Error where the server does not take it */
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}
