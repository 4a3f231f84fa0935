import type { RetrievedPage } from './answer-event.ts';

export interface ChatTurn {
  role: 'user' | 'assistant';
  text: string;
}

/** A passage of the documentation that the answer may rest on. */
export interface Passage extends RetrievedPage {
  /** Headings above it, outermost first. */
  headings: string[];
}

/** What a model is asked. */
export interface ChatRequest {
  /** The product's own instructions; never text of a caller. */
  instructions: string;
  /** Oldest first; the last one is the reader's question, or after it an answer of the assistant's that is to be continued. */
  turns: ChatTurn[];
  /** Best first. */
  passages: Passage[];
  /** What the answer has to say before all else, for example that a version is unknown. */
  note?: string;
}
