import type { ChatTurn } from './chat-request.ts';
import type { ImageFile } from './data-url.ts';

/** Something that the reader has before them: a selection on the page, or a code block they asked about. */
export interface QuestionContext {
  type: 'code' | 'textSelection';
  value: string;
  /** Page it stands on. */
  path?: string;
  elementId?: string;
}

/** What asks: a page in a browser, or a program with a key. */
export type Caller = 'web' | 'api';

/** A question as the product understands it, whatever protocol it came in. */
export interface AssistantQuestion {
  /** `anonymous`, or the caller's id of the reader. */
  fp: string;
  /** Text of the newest user message; empty where it holds no text. */
  question: string;
  /**
   * The conversation, oldest first. The last turn is the question, or after it the assistant's unfinished answer where
   * that is to be continued.
   */
  turns: ChatTurn[];
  /** The client's id of the newest user message; the same again when it asks again or edits. */
  messageId?: string;
  /** The newest message is the assistant's own. */
  continuesAssistant: boolean;
  /** Id of that message; a continued answer keeps it. */
  assistantMessageId?: string;
  threadId?: string;
  threadKey?: string;
  /** Solution of a bot check. */
  proof?: string;
  /** Pages to answer from, 1–50. */
  pageSize: number;
  filter?: { version?: string; language?: string };
  context: QuestionContext[];
  /** Pictures that came with the newest user message, at most four. They are not stored. */
  images: ImageFile[];
  /** Path of the page the reader is on. */
  currentPath?: string;
  /** Known where the question came over the network. */
  caller?: Caller;
  /** `minimal` leaves out what the oldest client releases fail on. */
  wire: 'full' | 'minimal';
  /** The request holds nothing but the newest message: what was said before is only in the stored thread. */
  onlyNewest: boolean;
}
