import type { ChatTurn } from './chat-request.ts';
import type { ImageFile } from './read-message.ts';

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
  /** The conversation, oldest first. The last turn is the question, or after it the assistant's unfinished answer to continue. */
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
  context: QuestionContext[];
  /** Images attached to the newest user message, at most four. They are not stored. */
  images: ImageFile[];
  /** Path of the page the reader is on. */
  currentPath?: string;
  /** Set if the question came over the network. */
  caller?: Caller;
  /** `minimal` omits what the oldest client releases fail on. */
  wire: 'full' | 'minimal';
  /** The request contains only the newest message; the rest of the conversation is in the stored thread. */
  onlyNewest: boolean;
}
