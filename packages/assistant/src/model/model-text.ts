import type { ToolCall } from '../chat/answer-event.ts';
import { readWrittenCalls } from './tool-calls.ts';

/** Maximum characters of a call that is written as text. */
const MAX_CALL = 8000;
/**
 * Text that may be reasoning without its opening tag is held no longer than this: its reader is
 * waiting.
 */
const MAX_SUSPECTED = 600;
/** JSON is read as a call if no more than this many characters of the turn stand before it. */
const MAX_PREFACE = 300;
/** Maximum characters that decide how a turn or a JSON call begins, and of a tag. */
const MAX_OPENING = 48;
const MAX_JSON_OPENING = 200;
const MAX_TAG = 48;

const SPECIAL = /[<[`~\n]/;
const THINK = /^(?:<(\/?)(?:\w{1,12}:)?(?:think|thinking|thoughts?|reasoning)>|\[(\/?)THINK\])/i;
const END_OF_THINKING = /<\/(?:\w{1,12}:)?(?:think|thinking|thoughts?|reasoning)>|\[\/THINK\]/i;
const CALL =
  /^(?:<[|｜]?(?:\w{1,12}:)?(?:tool|function)[_▁]?calls?(?:[_▁](?:section[_▁])?begin)?[|｜]?>|<function=\w{1,40}>|<\|python_tag\|>|\[TOOL_CALLS\])/i;
const END_OF_CALL =
  /<[|｜]?\/(?:\w{1,12}:)?(?:tool|function)[_▁]?calls?[|｜]?>|<[|｜](?:tool|function)[_▁]?calls?[_▁](?:section[_▁])?end[|｜]>|<tool_call\|>|<\/function>/i;
/** Marks that servers forget to remove. */
const TOKEN =
  /<\|(?:im_(?:start|end)|eo[tms](?:_id)?|end(?:_of_text|oftext)?|end_of_turn|return)\|>/gi;
const LEFT_OVER = new RegExp(`^(?:${END_OF_CALL.source}|${TOKEN.source})`, 'i');
/** A tag of which the end is missing. */
const OPEN_TAG = /^(?:<[^\s<>]*|\[\/?[A-Z_]*)$/i;
/** How the content of a call tag begins, unlike prose about the tag. */
const CALL_BODY = /^\s*(?:[{[<]|[\w.:]{1,40}[ \t]*[({<\n[])/;
/**
 * First words of reasoning in the text of a model whose prompt contained the opening tag, and the
 * first of these words.
 */
const THINKING_ALOUD =
  /^(?:(?:okay|ok|alright|all right|hmm+|well|right|so|now|first|wait)\b[,.!…]*\s+(?:so\b[,\s]*)?(?:i|let|the|we|this|they|looking|based|user)\b|let me\b|let's\b|i (?:need|should|have|must|am|can see)\b|i'm\b|we (?:need|are|have|must|should)\b|we're\b|looking at\b|to answer (?:this|the)\b|the (?:user|reader|question)\b|user (?:asks|wants|is)\b|thinking\b|嗯|好的?[，,]|首先|用户)/i;
const FIRST_WORD =
  /^(?:okay|ok|alright|all|hmm+|well|right|so|now|first|wait|let|let's|i|i'm|we|we're|looking|to|the|user|thinking)\b|^[嗯好首用]/i;
/** First words of reasoning that hardly begin an answer; others, such as "Let me show you", may. */
const SURELY_ALOUD =
  /^(?:okay|ok|alright|all right|hmm+|wait|thinking|[嗯好首用])|\b(?:user|reader|question|passages?)\b/i;
/** A link, a list, a heading or code: the form of an answer. */
const ANSWER_FORM = /\]\(|\n(?:[-*] |\d+\. |`{3}|#{1,4} )/;
const THINKING_MODEL = /\br1\b|qwq|think|reason/i;
/** The end of code in which a tag is quoted. */
const CODE_MARK = '`';
/** JSON of a call at the start of a line, perhaps in a code block, and what may become it. */
const JSON_CALL =
  /^\s*(?:(?:`{3}|~{3})[ \t]*\w{0,12}[ \t]*\n)?\s*(?:\[\s*)?\{\s*"(?:name|tool|tool_name|tool_calls|function|arguments|parameters|type|id)"\s*:/;
const OPEN_JSON_CALL =
  /^\s*(?:`{1,2}|~{1,2}|(?:`{3}|~{3})[ \t]*\w{0,12}[ \t]*|(?:(?:`{3}|~{3})[ \t]*\w{0,12}[ \t]*\n\s*)?(?:\[\s*)?(?:\{\s*(?:"\w{0,12}(?:"\s*)?)?)?)$/;

export type ModelPart =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'tool-call'; call: ToolCall };

/**
 * Separates what does not belong in an answer from the text of a model: reasoning between tags,
 * also where the prompt contained the opening tag, and tool calls written as text. Recognizes tags
 * that arrive in pieces. Code stays unchanged, unless a turn ends with the JSON of a call.
 *
 * Reasoning without an opening tag can only be recognized at its end, so the first sentences of a
 * text that begins like it are held until then. A closing tag ends it only at the start of a line,
 * and only as long as nothing was emitted: anywhere else it is text, because an answer may be about
 * such tags. Of a model that is known to think, all text before the tag is reasoning.
 */
export class ModelText {
  readonly #mayBeginThinking: boolean;
  #state: 'start' | 'text' | 'thinking' | 'call' | 'json' = 'start';
  /** Text that cannot be decided yet. */
  #held = '';
  /** Possible reasoning without its opening tag. */
  #suspected: string | undefined;
  /** It may as well be an answer, which shows in its form. */
  #isDoubted = false;
  /** The fence of the current code block, and the backticks of the current code span. */
  #fence = '';
  #span = '';
  #isLineStart = true;
  /** An opening tag inside a line: it is text, and so is its end. */
  #hasOpenTag = false;
  #callTag = '';
  /** The last character of the reasoning so far. */
  #lastThought = '';
  /** Length of the turn's text so far. */
  #length = 0;
  /** Removes empty lines between reasoning and answer. */
  #isTrimming = false;
  #out: ModelPart[] = [];

  /**
   * @param model.thinks it is known to begin every turn with reasoning whose opening tag is missing
   */
  constructor({ name, thinks = false }: { name: string; thinks?: boolean | undefined }) {
    this.#mayBeginThinking = THINKING_MODEL.test(name);
    if (thinks) this.#state = 'thinking';
  }

  /** @returns what is decided so far, in order */
  push(text: string): ModelPart[] {
    this.#held += text;
    return this.#take(false);
  }

  /** @returns the rest */
  end(): ModelPart[] {
    this.#take(true);
    if (this.#suspected !== undefined) {
      const isReasoning = this.#out.some(({ type }) => type === 'tool-call');
      const suspected = {
        type: isReasoning ? 'reasoning' : 'text',
        text: this.#suspected,
      } as const;
      this.#suspected = undefined;
      if (suspected.text !== '') this.#out.unshift(suspected);
    }
    return this.#out;
  }

  #take(isEnd: boolean): ModelPart[] {
    this.#out = [];
    while (this.#held !== '' && this.#step(isEnd)) {
      // Each step consumes a piece or changes the state.
    }
    return this.#out;
  }

  /** @returns false if more text is needed */
  #step(isEnd: boolean): boolean {
    if (this.#state === 'start') return this.#begin(isEnd);
    if (this.#state === 'thinking') return this.#think(isEnd);
    if (this.#state === 'call') return this.#readCall(isEnd);
    if (this.#state === 'json') return this.#readJson(isEnd);
    return this.#read(isEnd);
  }

  #begin(isEnd: boolean): boolean {
    const opening = this.#held.trimStart();
    if (!isEnd && this.#held.length < MAX_CALL) {
      if (opening === '' || (OPEN_TAG.test(opening) && opening.length < MAX_TAG)) return false;
      if (opening.length < MAX_OPENING && (!/[^\w'’]/.test(opening) || FIRST_WORD.test(opening)))
        return false;
    }
    const isTagged = THINK.test(opening);
    if (!isTagged && (this.#mayBeginThinking || THINKING_ALOUD.test(opening))) {
      this.#suspected = '';
      this.#isDoubted =
        !this.#mayBeginThinking && !SURELY_ALOUD.test(opening.slice(0, MAX_OPENING));
    }
    if (isTagged) this.#held = opening;
    this.#state = 'text';
    return true;
  }

  #read(isEnd: boolean): boolean {
    const isCode = this.#fence !== '' || this.#span !== '';
    if (this.#isLineStart && !isCode && this.#length < MAX_PREFACE) {
      const opening = this.#held.slice(0, MAX_JSON_OPENING);
      if (JSON_CALL.test(opening)) {
        this.#state = 'json';
        return true;
      }
      if (!isEnd && this.#held.length < MAX_JSON_OPENING && OPEN_JSON_CALL.test(opening))
        return false;
    }
    const at = this.#held.search(SPECIAL);
    if (at !== 0) {
      const text = this.#consume(at === -1 ? this.#held.length : at);
      if (text.trim() !== '') this.#isLineStart = false;
      this.#emit(text);
      return true;
    }
    const first = this.#held[0];
    if (first === '\n') {
      this.#isLineStart = true;
      this.#span = '';
      this.#emit(this.#consume(1));
      return true;
    }
    if (first === '`' || first === '~') return this.#readMarks(isEnd);
    return isCode ? this.#sayNext(1) : this.#readTag(isEnd);
  }

  /** Backticks or tildes: code begins or ends. */
  #readMarks(isEnd: boolean): boolean {
    const [marks = ''] = /^(?:`+|~+)/.exec(this.#held.slice(0, MAX_TAG)) ?? [];
    if (!isEnd && marks.length === this.#held.length && marks.length < MAX_TAG) return false;
    if (this.#fence !== '') {
      if (this.#isLineStart && marks.startsWith(this.#fence)) this.#fence = '';
    } else if (this.#isLineStart && marks.length > 2) this.#fence = marks;
    else if (marks[0] === '`') this.#span = this.#span === marks ? '' : this.#span || marks;
    return this.#sayNext(marks.length);
  }

  #readTag(isEnd: boolean): boolean {
    const opening = this.#held.slice(0, MAX_TAG);
    const think = THINK.exec(opening);
    if (think) {
      const [tag] = think;
      if (think[1] || think[2]) return this.#endThinking(tag);
      if (!this.#isLineStart) {
        this.#hasOpenTag = true;
        return this.#sayNext(tag.length);
      }
      this.#consume(tag.length);
      this.#state = 'thinking';
      return true;
    }
    const [call] = CALL.exec(opening) ?? [];
    if (call !== undefined) {
      this.#callTag = this.#consume(call.length);
      this.#state = 'call';
      return true;
    }
    const [mark] = LEFT_OVER.exec(opening) ?? [];
    if (mark !== undefined) {
      this.#consume(mark.length);
      return true;
    }
    if (!isEnd && this.#held.length < MAX_TAG && OPEN_TAG.test(opening)) return false;
    return this.#sayNext(1);
  }

  #endThinking(tag: string): boolean {
    const mayEnd = this.#isLineStart && (this.#suspected !== undefined || this.#length === 0);
    if (this.#hasOpenTag || !mayEnd) {
      this.#hasOpenTag = false;
      return this.#sayNext(tag.length);
    }
    this.#consume(tag.length);
    this.#add('reasoning', this.#suspected ?? '');
    this.#suspected = undefined;
    this.#beginAnswer();
    return true;
  }

  #beginAnswer(): void {
    this.#state = 'text';
    this.#isTrimming = true;
    this.#isLineStart = true;
    this.#length = 0;
  }

  #think(isEnd: boolean): boolean {
    const end = END_OF_THINKING.exec(this.#held);
    if (end && (end.index === 0 ? this.#lastThought : this.#held[end.index - 1]) === CODE_MARK) {
      this.#reason(end.index + end[0].length);
      return true;
    }
    if (end) {
      this.#reason(end.index);
      this.#consume(end[0].length);
      this.#beginAnswer();
      return true;
    }
    const tail = Math.max(this.#held.lastIndexOf('<'), this.#held.lastIndexOf('['));
    const mayBeTag =
      !isEnd &&
      tail !== -1 &&
      this.#held.length - tail < MAX_TAG &&
      OPEN_TAG.test(this.#held.slice(tail));
    this.#reason(mayBeTag ? tail : this.#held.length);
    return false;
  }

  #reason(length: number): void {
    const thought = this.#consume(length);
    this.#lastThought = thought.at(-1) ?? this.#lastThought;
    this.#add('reasoning', thought);
  }

  /** Up to the end of the call, or of the turn. */
  #readCall(isEnd: boolean): boolean {
    const end = END_OF_CALL.exec(this.#held);
    if (!end && !isEnd && this.#held.length < MAX_CALL) return false;
    const body = this.#held.slice(0, end?.index);
    this.#state = 'text';
    if (!this.#callTag.startsWith('<function=') && !CALL_BODY.test(body)) {
      this.#emit(this.#callTag);
      if (end) this.#emit(this.#consume(body.length + end[0].length));
      return true;
    }
    const tag = this.#callTag.startsWith('<function=') ? this.#callTag : '';
    const { calls } = readWrittenCalls(tag + body.replace(TOKEN, ''));
    for (const call of calls) this.#out.push({ type: 'tool-call', call });
    this.#consume(body.length + (end?.[0].length ?? 0));
    // The rest of a call that is too long is not shown either.
    if (!end && !isEnd) this.#state = 'call';
    return true;
  }

  /** Up to the end of the turn: the JSON of a call, or text. */
  #readJson(isEnd: boolean): boolean {
    if (!isEnd && this.#held.length < MAX_CALL) return false;
    const { calls, isCall } = readWrittenCalls(this.#held.replace(TOKEN, ''));
    this.#state = 'text';
    if (isEnd && isCall && (calls.length > 0 || this.#length === 0)) {
      for (const call of calls) this.#out.push({ type: 'tool-call', call });
      this.#held = '';
    } else this.#length = MAX_PREFACE;
    return true;
  }

  #consume(length: number): string {
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    return text;
  }

  #sayNext(length: number): boolean {
    this.#isLineStart = false;
    this.#emit(this.#consume(length));
    return true;
  }

  #emit(text: string): void {
    const said = this.#isTrimming ? text.trimStart() : text;
    if (said === '') return;
    this.#isTrimming = false;
    if (this.#suspected === undefined) {
      this.#length += said.length;
      this.#add('text', said);
      return;
    }
    this.#suspected += said;
    if (
      this.#suspected.length < MAX_SUSPECTED &&
      !(this.#isDoubted && ANSWER_FORM.test(this.#suspected))
    )
      return;
    this.#length += this.#suspected.length;
    this.#add('text', this.#suspected);
    this.#suspected = undefined;
  }

  #add(type: 'text' | 'reasoning', text: string): void {
    if (text === '') return;
    const last = this.#out.at(-1);
    if (last?.type === type) last.text += text;
    else this.#out.push({ type, text });
  }
}
