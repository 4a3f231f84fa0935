import type { Passage } from '../chat/chat-request.ts';

/** `Step 2: Install it`, `2. Install it`. */
const NUMBERED =
  /^(?:(?:step|schritt|étape|paso|passo|etapa)\s+(\d{1,2})\b|(\d{1,2})[.):])[\s.:)–—-]*(.*)$/iu;
/** The numbered headings below such a heading are alternatives. */
const CHOICES =
  /\b(?:examples?|use cases?|scenarios?|options?|methods?|ways|patterns?|types?|questions?|limitations?|mistakes?|tips)\b/i;
const OPERATION = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|WEBHOOK) \S+$/;

/** A passage, or several that are joined to one answer. */
export interface JoinedPassage {
  passage: Passage;
  /** The best search rank among them. */
  place: number;
  isOperation: boolean;
}

/** Adjacent sections with such headings describe one problem. */
const OF_PROBLEM =
  /^(?:problem|symptoms?|error(?: message)?|issue|description|causes?|reasons?)\W*$/i;
const SOLUTION =
  /^(?:solutions?|fix|resolution|workaround|remedy|how to fix(?: (?:it|this))?)\W*$/i;

/** Returns whether a section needs its neighbors to be understood: a step, a solution. */
export function needsNeighbors(headings: readonly string[]): boolean {
  const lastHeading = headings.at(-1) ?? '';
  return NUMBERED.test(lastHeading) || OF_PROBLEM.test(lastHeading) || SOLUTION.test(lastHeading);
}

/**
 * Joins passages that headings separate: an operation with its body, and, for how-to questions, the
 * steps of a procedure as one ordered list and a problem with its solution.
 */
export function joinPassages(passages: readonly Passage[], isHowTo: boolean): JoinedPassage[] {
  const procedures = isHowTo ? proceduresOf(passages) : [];
  const problems = problemsOf(passages);
  const parts = new Set([...procedures, ...problems].flat());
  const join = (group: readonly Passage[], content: string): JoinedPassage => {
    const [first] = group as [Passage];
    const place = Math.min(...group.map((part) => passages.indexOf(part)));
    return {
      passage: { ...first, headings: first.headings.slice(0, -1), content },
      place,
      isOperation: false,
    };
  };
  const joined = [
    ...procedures.map((steps) => join(steps, stepsText(steps))),
    ...problems.map((problem) => join(problem, problemText(problem))),
  ];
  passages.forEach((passage, place) => {
    if (!parts.has(passage) && !isBodyOfOther(passage, passages))
      joined.push(withBody(passage, passages, place));
  });
  return joined;
}

/**
 * Sections under one heading whose own headings count from 1. If a number is missing, they may be
 * numbered for another reason.
 */
function proceduresOf(passages: readonly Passage[]): Passage[][] {
  const numbered = passages.filter(
    (passage) =>
      stepNumber(passage) !== undefined &&
      !CHOICES.test(passage.headings.at(-2) ?? passage.metadata.title),
  );
  return siblings(numbered)
    .map((steps) =>
      [...steps].sort((a, b) => (stepNumber(a) as number) - (stepNumber(b) as number)),
    )
    .filter(
      (steps) => steps.length > 1 && steps.every((step, index) => stepNumber(step) === index + 1),
    );
}

/** Sections under one heading that state a problem and solve it, the solution last. */
function problemsOf(passages: readonly Passage[]): Passage[][] {
  const isSolution = ({ headings }: Passage) => SOLUTION.test(headings.at(-1) ?? '');
  const parts = passages.filter(
    (passage) =>
      passage.headings.length > 1 &&
      (isSolution(passage) || OF_PROBLEM.test(passage.headings.at(-1) ?? '')),
  );
  return siblings(parts)
    .filter((group) => group.length > 1 && group.filter(isSolution).length === 1)
    .map((group) => [...group].sort((a, b) => Number(isSolution(a)) - Number(isSolution(b))));
}

/** Groups sections by the heading that they are under. */
function siblings(passages: readonly Passage[]): Passage[][] {
  const groups = Map.groupBy(passages, ({ path, headings }) =>
    JSON.stringify([path, headings.slice(0, -1)]),
  );
  return [...groups.values()];
}

function problemText(parts: readonly Passage[]): string {
  return parts.map((part) => `**${part.headings.at(-1)}**\n\n${part.content}`).join('\n\n');
}

function stepNumber({ headings }: Passage): number | undefined {
  const match = NUMBERED.exec(headings.at(-1) ?? '');
  return match === null ? undefined : Number(match[1] ?? match[2]);
}

function stepsText(steps: readonly Passage[]): string {
  const items = steps.map((step) => {
    const title = NUMBERED.exec(step.headings.at(-1) as string)?.[3] ?? '';
    const content = step.content.replaceAll(/^(?=[^\n])/gm, '   ');
    return `${stepNumber(step)}. ${title === '' ? content.trimStart() : `**${title}**\n\n${content}`}`;
  });
  return items.join('\n\n');
}

function isOperation({ headings, content }: Passage): boolean {
  return headings.length === 0 && OPERATION.test(content.slice(0, content.indexOf('\n') >>> 0));
}

function isBody({ headings }: Passage): boolean {
  return headings.length === 1 && (headings[0] === 'Body' || headings[0] === 'Payload');
}

function isBodyOfOther(passage: Passage, passages: readonly Passage[]): boolean {
  return (
    isBody(passage) && passages.some((other) => other.path === passage.path && isOperation(other))
  );
}

function withBody(passage: Passage, passages: readonly Passage[], place: number): JoinedPassage {
  if (!isOperation(passage)) return { passage, place, isOperation: false };
  const at = passages.findIndex((other) => other.path === passage.path && isBody(other));
  const body = passages[at];
  if (body === undefined) return { passage, place, isOperation: true };
  return {
    passage: { ...passage, content: `${passage.content}\n\n${body.content}` },
    place: Math.min(place, at),
    isOperation: true,
  };
}
