import type { RetrievedPage, ToolCall } from './answer-event.ts';
import type { ImageFile } from './data-url.ts';
import type { PointsAt } from './page-question.ts';

export interface ChatTurn {
  role: 'user' | 'assistant';
  text: string;
}

/** A passage of the documentation that the answer may rest on. */
export interface Passage extends RetrievedPage {
  /** Headings above it, outermost first. */
  headings: string[];
  /** Labels of what its page stands in, outermost first. */
  trail?: string[];
  /** What the page says of itself, where its author wrote that. */
  description?: string;
  /** How likely its page is the one that was meant, 0–1, where the search says that. */
  share?: number;
}

/** What a model is asked. */
export interface ChatRequest {
  /** The product's own instructions; never text of a caller. */
  instructions: string;
  /** Oldest first; the last one is the reader's question, or after it an answer of the assistant's that is to be continued. */
  turns: ChatTurn[];
  /** Best first. */
  passages: Passage[];
  /** Pictures that came with the question, for a model that takes them. */
  images?: ImageFile[];
  /** Pictures came with the question that this model cannot see. */
  hasUnseenImages?: boolean;
  /** The language model failed, so that this answer is made without it. */
  withoutModel?: true;
  /** The question points at the page that the reader is on, whose passages come first. */
  pointsAt?: PointsAt;
  /** What the answer has to say before all else, for example that a version is unknown. */
  note?: string;
  /** Where the owners point readers to whom the documentation does not help; links in Markdown. */
  support?: string;
  /** Code of the language of the pages that were searched, where the reader is in one. */
  language?: string;
  /** What the model said and did so far in this answer, oldest first; empty at first. */
  steps: ToolStep[];
  /** Whether it may search again or read a page; if not, it has to answer from what it has. */
  mayUseTools: boolean;
}

/** One turn of the model that ended in calls of tools, and what they gave. */
export interface ToolStep {
  text: string;
  calls: { id: string; call: ToolCall; output: string }[];
}
