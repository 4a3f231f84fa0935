export type ExpressionFault = 'syntax' | 'unknown-name' | 'missing' | 'needs-browser' | 'limit' | 'failed';

/** Why an expression has no value. `needs-browser` also stands for JavaScript that the interpreter does not speak. */
export class ExpressionError extends Error {
  readonly kind: ExpressionFault;
  /** The name in question, where there is one. */
  readonly subject: string;
  constructor(kind: ExpressionFault, message: string, subject = '') {
    super(message);
    this.name = 'ExpressionError';
    this.kind = kind;
    this.subject = subject;
  }
}
