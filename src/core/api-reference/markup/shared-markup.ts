import type { PageRenderer } from '../../content/page-renderer.ts';
import { plainDescription } from '../descriptions.ts';
import type { FieldWriter } from './field-markup.ts';

export type PartWriter = FieldWriter & Pick<PageRenderer, 'addTocEntry'>;

/** The markup of a part, with all that a page answered while it was rendered. */
interface Made {
  markup: string;
  isExpanded: boolean | undefined;
  ids: { text: string; id: string }[];
  links: Map<string, string>;
  /** Descriptions that are not the same on every page. */
  texts: Map<string, string>;
  entries: Parameters<PageRenderer['addTocEntry']>[];
}

const parts = new WeakMap<object, Made>();

/**
 * Renders a part that several pages show only once, as long as the pages answer the same: with equal ids, links and descriptions.
 * @param part the view from which `render` makes the part
 */
export function sharedMarkup(part: object, page: PartWriter, render: (writer: PartWriter) => string): string {
  const known = parts.get(part);
  const ids = known?.ids.map(({ text }) => page.uniqueId(text)) ?? [];
  if (known && hasSameAnswers(known, page, ids)) {
    for (const entry of known.entries) page.addTocEntry(...entry);
    return known.markup;
  }
  const made: Made = { markup: '', isExpanded: page.isExpanded, ids: [], links: new Map(), texts: new Map(), entries: [] };
  const markup = render({
    ...page,
    // The ids that were just taken to compare them are those of the part, which takes them in the same order.
    uniqueId: (text) => keep(made.ids, { text, id: ids[made.ids.length] ?? page.uniqueId(text) }).id,
    href: page.href && ((path) => kept(made.links, path, page.href as (path: string) => string)),
    describe: (text) => plainDescription(text) ?? kept(made.texts, text, page.describe),
    addTocEntry: (...entry) => page.addTocEntry(...keep(made.entries, entry)),
  });
  // V8 joins the pieces of a text when it is first read: here once, not on each page that contains it.
  made.markup = markup.trim();
  // A description with headings takes ids of its own.
  if (made.texts.values().every((text) => !text.includes(' id='))) parts.set(part, made);
  return made.markup;
}

function hasSameAnswers(known: Made, page: PartWriter, ids: readonly string[]): boolean {
  return (
    known.isExpanded === page.isExpanded &&
    known.ids.every(({ id }, index) => id === ids[index]) &&
    known.links.entries().every(([path, link]) => page.href?.(path) === link) &&
    known.texts.entries().every(([text, markup]) => page.describe(text) === markup)
  );
}

function keep<Item>(list: Item[], item: Item): Item {
  list.push(item);
  return item;
}

function kept(answers: Map<string, string>, question: string, ask: (question: string) => string): string {
  const answer = answers.get(question) ?? ask(question);
  answers.set(question, answer);
  return answer;
}
