export type ExpressionFault = 'syntax' | 'unknown-name' | 'missing' | 'needs-browser' | 'limit' | 'failed';

/** Why an expression has no value. `needs-browser` also means JavaScript that the interpreter does not support. */
export class ExpressionError extends Error {
  readonly kind: ExpressionFault;
  /** The relevant name, if there is one. */
  readonly subject: string;
  constructor(kind: ExpressionFault, message: string, subject = '') {
    super(message);
    this.name = 'ExpressionError';
    this.kind = kind;
    this.subject = subject;
  }
}
