import { readFrontmatter } from './frontmatter.ts';
import { markdownAsMdx } from './source-text.ts';

/** The first page of a site of VitePress, which is written in its frontmatter. */
export interface HomePage {
  title: string | undefined;
  /** MDX: what the page says first, its links, and a card for each feature. */
  text: string;
}

/**
 * Returns the page that `layout: home` with `hero` and `features` describes; undefined for other
 * pages.
 * @param text the whole file
 */
export function homePage(text: string, file: string): HomePage | undefined {
  if (!/^layout:[ \t]*["']?home\b/m.test(text)) return undefined;
  const { custom } = readFrontmatter(text, file).frontmatter;
  const hero = recordOf(custom.hero);
  const features = listOf(custom.features);
  const lead = [line(hero.text), line(hero.tagline)].filter((part) => part !== '');
  const links = listOf(hero.actions).map(({ text: label, link }) =>
    line(link) === '' ? line(label) : `[${line(label)}](${line(link)})`,
  );
  const cards = features.map(({ title, details, link }) => {
    const href = line(link) === '' ? '' : ` href=${JSON.stringify(line(link))}`;
    return `<Card title=${JSON.stringify(line(title))}${href}>\n${line(details)}\n</Card>`;
  });
  if (lead.length + links.length + cards.length === 0) return undefined;
  const columns = cards.length === 0 ? [] : ['<Columns cols={2}>', ...cards, '</Columns>'];
  return {
    title: line(hero.name) || undefined,
    text: [...lead, links.join(' · '), columns.join('\n')].join('\n\n'),
  };
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(recordOf) : [];
}

/** A text of one line, which is Markdown there. */
function line(value: unknown): string {
  return typeof value === 'string' ? markdownAsMdx(value.replace(/\s+/g, ' ').trim()) : '';
}
