export interface LlmsPage {
  title: string;
  description?: string;
  /** URL of the page's Markdown, absolute if the site's origin is known. */
  url: string;
  /** Heading of its section; the pages of one section are consecutive. */
  section?: string;
}

export interface LlmsLink {
  title: string;
  url: string;
}

export interface LlmsSite {
  name: string;
  description?: string;
  /** Information for programs that read the documentation. */
  instructions?: readonly string[];
  /** In menu order. */
  pages: readonly LlmsPage[];
  openApiSpecs?: readonly LlmsLink[];
  asyncApiSpecs?: readonly LlmsLink[];
  external?: readonly LlmsLink[];
}

export interface LlmsFullPage extends Omit<LlmsPage, 'section'> {
  markdown: string;
}

const MAX_FILE_CHARACTERS = 100_000;
/** Descriptions are shortened in these steps until the file fits, then entries are dropped. */
const DESCRIPTION_LENGTHS = [300, 120, 0];

/**
 * Generates `llms.txt`: the table of contents for programs (llmstxt.org). At most 100,000
 * characters: descriptions are shortened first, then a note replaces the last entries.
 */
export function llmsTxt(site: LlmsSite): string {
  for (const length of DESCRIPTION_LENGTHS) {
    const lines = linesOf(site, length);
    if (lines.length < site.pages.length) continue;
    const text = compose(site, lines);
    if (text.length <= MAX_FILE_CHARACTERS) return text;
  }
  return composeShortened(site);
}

/** Generates `llms-full.txt`: every page with its URL and its Markdown, concatenated. */
export function llmsFullTxt(pages: Iterable<LlmsFullPage>): string {
  return Array.from(pages, (page) => `${llmsFullHead(page)}${page.markdown.trim()}\n`).join(
    LLMS_FULL_SEPARATOR,
  );
}

/** Separates two entries of `llms-full.txt`. */
export const LLMS_FULL_SEPARATOR = '\n\n';

/**
 * Returns what precedes the text of a page in `llms-full.txt`, for streaming. A newline follows the
 * trimmed text.
 */
export function llmsFullHead({ title, url, description }: Omit<LlmsFullPage, 'markdown'>): string {
  const summary = description ? `\n${oneLine(description, 1000)}\n` : '';
  return `# ${oneLine(title, 300)}\nSource: ${url}\n${summary}\n`;
}

/** Returns the largest number of pages that fits, by bisection. */
function composeShortened(site: LlmsSite): string {
  const lines = linesOf(site, 0);
  let fits = 0;
  let tooMany = lines.length;
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (compose(site, lines.slice(0, middle)).length <= MAX_FILE_CHARACTERS) fits = middle;
    else tooMany = middle;
  }
  return compose(site, lines.slice(0, fits)).slice(0, MAX_FILE_CHARACTERS);
}

interface LlmsLine {
  section: string;
  line: string;
}

/** Returns the lines of all pages, or of the first ones, with the one after which no file fits. */
function linesOf({ pages }: LlmsSite, descriptionLength: number): LlmsLine[] {
  const lines: LlmsLine[] = [];
  let characters = 0;
  for (const page of pages) {
    const line = pageLine(page, descriptionLength);
    lines.push({ section: oneLine(page.section ?? '', 200) || 'Docs', line });
    characters += line.length + 1;
    if (characters > MAX_FILE_CHARACTERS) break;
  }
  return lines;
}

function compose(site: LlmsSite, lines: readonly LlmsLine[]): string {
  const blocks = [`# ${oneLine(site.name, 300)}`];
  if (site.description) blocks.push(`> ${oneLine(site.description, 1000)}`);
  if (site.instructions?.length)
    blocks.push(
      `## Agent Instructions\n\n${site.instructions.map((instruction) => instruction.trim()).join('\n\n')}`,
    );
  for (const [section, listed] of Map.groupBy(lines, (entry) => entry.section))
    blocks.push(`## ${section}\n\n${listed.map(({ line }) => line).join('\n')}`);
  const dropped = site.pages.length - lines.length;
  if (dropped > 0)
    blocks.push(
      `${dropped} more pages are not listed here; llms-full.txt and sitemap.xml have them all.`,
    );
  blocks.push(
    ...linkBlock('OpenAPI Specs', site.openApiSpecs),
    ...linkBlock('AsyncAPI Specs', site.asyncApiSpecs),
  );
  blocks.push(...linkBlock('Optional', site.external));
  return `${blocks.join('\n\n')}\n`;
}

function pageLine({ title, url, description }: LlmsPage, descriptionLength: number): string {
  const firstParagraph = description?.trim().split(/\n\s*\n/, 1)[0] ?? '';
  const summary = descriptionLength === 0 ? '' : oneLine(firstParagraph, descriptionLength);
  return `- ${markdownLink(title, url)}${summary === '' ? '' : `: ${summary}`}`;
}

function linkBlock(title: string, links: readonly LlmsLink[] = []): string[] {
  const lines = links.map((link) => `- ${markdownLink(link.title, link.url)}`);
  return lines.length === 0 ? [] : [`## ${title}\n\n${lines.join('\n')}`];
}

/** Returns text on one line of at most `longest` characters, cut at a word if it is longer. */
function oneLine(text: string, longest: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= longest) return line;
  const cut = line.slice(0, longest - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > longest / 2 ? cut.slice(0, space) : cut).toWellFormed()}…`;
}

/** Returns a Markdown link; brackets and blanks in it are escaped. */
function markdownLink(title: string, url: string): string {
  const text = oneLine(title, 300).replace(/[[\]\\]/g, '\\$&');
  const address = url.replace(
    /[\s()<>]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
  return `[${text}](${address})`;
}
