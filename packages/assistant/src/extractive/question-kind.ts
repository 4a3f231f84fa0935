const HOW_TO =
  /\bhow (?:do|does|can|could|to|should|would|must)\b|^(?:wie|comment|cómo|como|come)\b|如何|怎么|怎麼|怎样|方法|どうやって|どうすれば|어떻게/iu;
const FIRST_WORD_OF_OTHERS =
  /^(?:what|why|when|which|who|whose|where|is|are|am|was|were|does|do|did|can|could|will|would|should|has|have|my|the|how|was|warum|wann|welche[rsmn]?|wer|wo|ist|kann|quel(?:le)?s?|pourquoi|quand|où|est-ce|qué|cuál(?:es)?|por|dónde|qual|quais|onde|perché|quando|dove)\b|什么|什麼|为什|為什|哪|何|なぜ|いつ|どこ|무엇|언제|왜|어디/iu;

const DEFINITION =
  /^(?:what(?:['’]s| is| are)|what does .* (?:mean|do)\b|was (?:ist|sind|bedeutet)|qu['’]est-ce|c['’]est quoi|qué (?:es|son)|o que (?:é|são)|(?:che )?cos['’]è)|什么是|是什么|とは|무엇/iu;

/**
 * Something does not work. `stop …` and `avoid …` ask for instructions, although they name the
 * problem.
 */
const PROBLEM =
  /\b(?:errors?|fail(?:s|ed|ing|ures?)?|broken|crash(?:es|ed|ing)?|stuck|hangs?|frozen|refus(?:es|ed)|reject(?:s|ed)|denied|drops?|dropped|disconnects?|disappear(?:s|ed)?|missing|empty|blank|unreachable|wrong|(?:do|does|did|is|are|was|were|wo|has|have)n['’]?t|not (?:work|load|show|appear|found|reach|connect)\w*|can['’]?t|cannot|unable|keeps? \w+ing|status \d{3}|[45]\d\d)\b/i;
const WANTS =
  /^(?:how|what|which|where|who|when|can i|do i|stop|avoid|prevent|make|let|keep|leave|show|give|use|add|set|hide|put|get|turn|fail)\b/i;

/**
 * The kind of answer: steps and commands for a task (“how do I …”, “rotate a key”), a definition, a
 * solution for a problem (“the page stays empty”), or prose.
 */
type QuestionKind = 'how-to' | 'definition' | 'problem' | 'other';

/** Detects the kind of a question by its first words, and a problem by the words for one. */
function questionKind(question: string): QuestionKind {
  const text = question.trim();
  if (PROBLEM.test(text) && !WANTS.test(text)) return 'problem';
  if (HOW_TO.test(text)) return 'how-to';
  if (DEFINITION.test(text) || isTopic(text)) return 'definition';
  return FIRST_WORD_OF_OTHERS.test(text) ? 'other' : 'how-to';
}

/** “webhooks”, “rate limits”: a bare subject to be explained. */
function isTopic(text: string): boolean {
  return /^[\p{L}\p{N}-]+(?: [\p{L}\p{N}-]+)?$/u.test(text);
}

/** A method, an address, or a function, recognized by its notation. */
const CALL =
  /\b(?:GET|POST|PUT|PATCH|DELETE)\b|\/[a-z0-9_{}:-]+\/[a-z0-9_{}:-]+|\b[a-z]+[A-Z][A-Za-z]+\b/;
const API = /\b(?:api|endpoints?|rest|http|curl|rpc|sdk|programmatically|request body)\b/i;
const RESPONSES = /\b(?:respon\w+|returns?|status|errors?|\d{3})\b/i;
const NEGATED = /\b(?:no|not|without|never|stop|(?:do|does|is|are|can|was|has)n['’]?t|cannot)\b/i;

const TRACE =
  /^[ \t]+at [^\s()]+ ?\(|^Traceback \(most recent call last\)|^[ \t]+File "[^"\n]+", line \d+|^(?:Uncaught )?[A-Za-z.]*(?:Error|Exception)(?: \[\w+\])?:|^panic:/m;

/** Returns whether a text is or contains a stack trace. */
export function isTrace(text: string): boolean {
  return TRACE.test(text);
}

/** A name that only programs use: of a setting, an option, a function, an error. */
const IDENTIFIER = /^--[a-z]|\w_\w|^[a-z]+[A-Z]\w{4}|^[A-Z]{1,6}-?\d{3}/;

/** What a question asks for, as far as its form shows it. */
export interface QuestionTraits {
  text: string;
  kind: QuestionKind;
  /** Whether it is about calling an API. */
  isAboutApi: boolean;
  /** Whether it is about the response. */
  isAboutResponses: boolean;
  isNegated: boolean;
  /** Whether it includes the output of a failed program. */
  hasTrace: boolean;
  /** Names in it that only programs use. */
  identifiers: string[];
}

/** Detects what a question asks for. */
export function questionTraits(question: string): QuestionTraits {
  return {
    text: question,
    kind: questionKind(question),
    isAboutApi: API.test(question) || CALL.test(question),
    isAboutResponses: RESPONSES.test(question),
    isNegated: NEGATED.test(question),
    hasTrace: isTrace(question),
    identifiers: question.split(/[^\w-]+/).filter((word) => IDENTIFIER.test(word)),
  };
}
