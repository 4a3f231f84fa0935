import type { ReadBlock } from './code-choices.ts';
import { type Candidate, isEntryTitle } from './passage-candidates.ts';
import type { QuestionTraits } from './question-kind.ts';

/** Whether a candidate has the form and the position of an answer to the question; each 0 or 1. */
export interface Form {
  stepsForHowTo: number;
  codeForHowTo: number;
  /** “A webhook is …” for “what is a webhook?” */
  definition: number;
  /** The closing sections of a page link elsewhere. */
  closing: number;
  /** Reference lists of fields contain so many words that some match every question. */
  fields: number;
  /** An API operation, if the question does not ask for one. */
  operation: number;
  operationAsked: number;
  /** The question contains this exact address. */
  operationNamed: number;
  /** The responses of an operation, if the question does not ask for them. */
  responses: number;
  /** One of many questions and answers is short and covers one thing. */
  entry: number;
  /** A troubleshooting section, if there is one. */
  helpForProblem: number;
  /** “Without a mail server” does not fit readers who have one. */
  negation: number;
}

const MIN_LETTERS_OF_PROSE = 60;
/** Starts with a definition. */
const DEFINES = /^[^.:!?\n]{1,60}?\s(?:is|are|lets?|allows?|means?|ist|sind|est|sont|es|son|é|são|è)\s/iu;
const FIELD = /^[ \t]*- `[^`\n]+` \([`'a-z]/gm;
const MIN_FIELDS = 3;
const MIN_ROUTE_LENGTH = 3;
const CLOSING_SECTION =
  /^(?:conclusion|summary|next steps?|related(?: \w+)?|see also|need (?:more )?help|additional resources|learn more|resources|further reading|getting help|table of contents|what['’]?s next|questions)\W*$/i;
const HELP =
  /\b(?:troubleshoot\w*|faqs?|errors?|issues?|problems?|fix|why|fail\w*|not|can['’]?t|doesn['’]?t|debug\w*|restrictions?|limitations?)\b/i;
const NEGATION =
  /\b(?:no|not|without|don['’]?t|can['’]?t|isn['’]?t|disabled?|disabling|never|off|offline|exclude|skip|missing|unable|hide)\b/i;

/** Determines the form of a candidate. */
export function formOf(candidate: Candidate, { kind, isAboutApi, isAboutResponses, isNegated, text }: QuestionTraits): Form {
  const { blocks, titleFound, headFound, isOperation, isEntry, passage } = candidate;
  // Some pages repeat their title above their first text.
  const lastHeading = passage.headings.at(-1) ?? '';
  const heading = lastHeading === passage.metadata.title ? '' : lastHeading;
  const ownTitle = isEntry ? (blocks[0] as ReadBlock).markdown : heading;
  const isHowTo = kind === 'how-to';
  const isProblem = kind === 'problem';
  const has = (test: (block: ReadBlock) => boolean) => blocks.some(test);
  const isAboutIt = kind === 'definition' && (heading === '' || headFound.some((found) => found > 0));
  const introducesIt = heading === '' && !isOperation && titleFound.some((found) => found > 0) && has(isProse);
  const route = isOperation ? routeOf(blocks) : '';
  return {
    stepsForHowTo: one(isHowTo && has((block) => block.kind === 'list' && /^\d/.test(block.markdown))),
    codeForHowTo: one(isHowTo && !isOperation && has((block) => block.kind === 'code')),
    definition: one(isAboutIt && (introducesIt || has(defines))),
    closing: one(CLOSING_SECTION.test(heading.trim())),
    fields: one(!isOperation && has(listsFields)),
    operation: one(isOperation && !isAboutApi),
    operationAsked: one(isOperation && isAboutApi),
    operationNamed: one(route !== '' && text.includes(route)),
    responses: one(heading === 'Responses' && !isAboutResponses),
    entry: one(isEntry && !isProblem),
    helpForProblem: one(
      isProblem && !isOperation && HELP.test([passage.metadata.title, ...passage.headings, ownTitle].join('\n')),
    ),
    negation: one(isNegated && NEGATION.test(ownTitle)),
  };
}

function one(isSo: boolean): number {
  return isSo ? 1 : 0;
}

function isProse(block: ReadBlock): boolean {
  return block.kind === 'paragraph' && block.markdown.length > MIN_LETTERS_OF_PROSE && !isEntryTitle(block);
}

function listsFields({ kind, markdown }: ReadBlock): boolean {
  return kind === 'list' && (markdown.match(FIELD)?.length ?? 0) >= MIN_FIELDS;
}

function defines(block: ReadBlock): boolean {
  return isProse(block) && DEFINES.test(block.markdown) && block.found.some((found) => found > 0);
}

/** `/v1/orders` of `GET /v1/orders/`; empty if it is so short that every address contains it. */
function routeOf([address]: readonly ReadBlock[]): string {
  const route = address?.markdown.split(/\s/)[1] ?? '';
  return route.length < MIN_ROUTE_LENGTH ? '' : route.replace(/\/$/, '');
}
