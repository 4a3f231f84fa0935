/** A message to one person, as plain text. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Sends mail. */
export interface Mailer {
  /** Passes a message to the mail server. @throws Error if the server does not accept it */
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}
