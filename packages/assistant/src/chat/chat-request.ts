import type { Synonyms } from '@docent/search/search-rules.ts';
import type { RetrievedPage, ToolCall } from './answer-event.ts';
import type { ImageFile } from './read-message.ts';

export interface ChatTurn {
  role: 'user' | 'assistant';
  text: string;
}

/** A passage of the documentation that the answer may be based on. */
export interface Passage extends RetrievedPage {
  /** Headings above it, outermost first. */
  headings: string[];
  /** Labels of the enclosing navigation, outermost first. */
  trail?: string[];
  /** The page's description, if its author wrote one. */
  description?: string;
  /** The owners of the site pin its page for the question. */
  isPinned?: true;
  /** Probability that its page is the right one, 0–1, if the search provides it. */
  share?: number;
}

/** How a question refers to the reader's current page. */
export type PointsAt =
  /** “Summarize this page” */
  | 'page'
  /** “What does this do?”, with a selection */
  | 'selection'
  /** “What is the limit on this page?” */
  | 'inPage';

export interface ChatRequest {
  /** The product's own instructions; never text from a caller. */
  instructions: string;
  /**
   * Oldest first; the last one is the reader's question, or after it an answer of the assistant to
   * continue.
   */
  turns: ChatTurn[];
  /** Best first. */
  passages: Passage[];
  /** Images attached to the question, for a model that supports them. */
  images?: ImageFile[];
  /** The question had images that this model does not support. */
  hasUnseenImages?: boolean;
  /** The language model failed, so this answer is generated without it. */
  withoutModel?: true;
  /** The question refers to the reader's current page, whose passages come first. */
  pointsAt?: PointsAt;
  /** A notice that the answer starts with, for example that a version is unknown. */
  note?: string;
  /** Where readers get help when the documentation has no answer; Markdown links. */
  support?: string;
  /** The question in the language of the documentation, as search words, if it has another one. */
  english?: string | undefined;
  /** What means the same on this site. */
  synonyms?: Synonyms | undefined;
  /** Language code of the searched pages, if the reader's language is known. */
  language?: string;
  /** The model's output so far in this answer, oldest first; initially empty. */
  steps: ToolStep[];
  /** Whether it may search again or read a page; if not, it must answer from what it has. */
  mayUseTools: boolean;
  /**
   * W3C trace context of the call; a header of the request to the model, not part of the prompt.
   */
  traceparent?: string;
}

/** One turn of the model that ended in tool calls, and their results. */
export interface ToolStep {
  text: string;
  calls: { id: string; call: ToolCall; output: string }[];
}

/** Context from the reader's page: a selection, or a code block they asked about. */
export interface QuestionContext {
  type: 'code' | 'textSelection';
  value: string;
  /** Page that contains it. */
  path?: string;
  elementId?: string;
}

/** The kind of client: a page in a browser, or a program with a key. */
export type Caller = 'web' | 'api';

/** A question, independent of the client's protocol. */
export interface AssistantQuestion {
  /** `anonymous`, or the caller's id for the reader. */
  fp: string;
  /** Text of the newest user message; empty if it has none. */
  question: string;
  /**
   * The conversation, oldest first. The last turn is the question, or after it the assistant's
   * unfinished answer to continue.
   */
  turns: ChatTurn[];
  /** The client's id of the newest user message; repeated when it retries or edits. */
  messageId?: string;
  /** The newest message is the assistant's own. */
  continuesAssistant: boolean;
  /** Id of that message; a continued answer keeps it. */
  assistantMessageId?: string;
  threadId?: string;
  threadKey?: string;
  /** Solution of a bot check. */
  proof?: string;
  /** Maximum pages to answer from, 1–50. */
  pageSize: number;
  filter?: { version?: string; language?: string };
  /** Answer as if the reader had no other groups than these; undefined: all of the reader. */
  groups?: readonly string[];
  context: QuestionContext[];
  /** Images attached to the newest user message, at most four. They are not stored. */
  images: ImageFile[];
  /** Path of the page the reader is on. */
  currentPath?: string;
  /** Set if the question came over the network. */
  caller?: Caller;
  /**
   * A member of the organization tries the assistant: the conversation is not a reader's, and is
   * not stored.
   */
  isTry?: boolean;
  /** `minimal` omits what the oldest client releases fail on. */
  wire: 'full' | 'minimal';
  /** The form of search results on v1; on v2 it is always an object. */
  searchForm: 'array' | 'object';
  /**
   * The request contains only the newest message; the rest of the conversation is in the stored
   * thread.
   */
  onlyNewest: boolean;
}
