import { examplesPlace } from '@docent/format/api-reference/markup/examples-place.ts';
import type { ShownContent } from '@docent/format/build/site-build.ts';
import type { TocEntry } from '@docent/format/content/page/page-content.ts';
import { type ApiWord, isSymbolWord, translateWords } from '@docent/format/content/page/words.ts';
import { emptyHtml, type Html, html, trustedHtml } from '@docent/format/html.ts';
import { resolveMarks } from '@docent/format/links.ts';
import type { WholeSidebar } from '@docent/format/navigation/navigation.ts';
import { arrange, documentOf, LAYOUTS, shellOf } from './layout.ts';
import { inlineMarkdown } from './parts/banner.ts';
import { directory } from './parts/directory.ts';
import { footer, pagination } from './parts/footer.ts';
import { head, headPage } from './parts/head.ts';
import { header } from './parts/header.ts';
import { interfaceIcon } from './parts/icons.ts';
import { hasTabs, placeLevels } from './parts/levels.ts';
import { railActions } from './parts/page-actions.ts';
import { pageHeader } from './parts/page-header.ts';
import { lastUpdated, pageFeedback, relatedPages } from './parts/page-notes.ts';
import { sidebarPanel, wholeSidebarMarkup } from './parts/sidebar.ts';
import { localBar, toc } from './parts/toc.ts';
import type { Locale } from './translations/translations.ts';
import { TRANSLATIONS } from './translations/translations.ts';
import { type Frame, frameOf, linkTo, oncePerScope } from './view/frame.ts';
import type { NotFoundView, PageView, ThemeAsset } from './view/page-view.ts';
import { familyOf } from './view/theme-family.ts';

interface Rail {
  /** Width of the column reserved for it. */
  kind: 'aside' | 'toc' | 'none';
  /** Whether it contains the headings. */
  hasToc?: boolean;
  markup: Html;
}

/** Ids of the entries of a changelog, which contain the headings inside them. */
function changelogEntries({ html: article, elements }: ShownContent): Set<string> {
  if (!elements.includes('docent-update')) return new Set();
  return new Set(
    Array.from(article.matchAll(/<docent-update [^<>]*? id="([^"]*)"/g), ([, id = '']) => id),
  );
}

/** Built-in headings of an API page are translated there too. */
function translateEntry({ locale }: Frame): (entry: TocEntry) => TocEntry {
  const translate = apiWords(locale);
  return (entry) =>
    entry.word === undefined ? entry : { ...entry, text: translate(entry.word, entry.text) };
}

/**
 * Examples if the page has them, otherwise its headings. The column is reserved even without
 * headings, so that pages do not jump.
 */
function rail(frame: Frame, view: PageView): Rail {
  if (view.content.aside) {
    const aside = trustedHtml(resolveMarks(view.content.aside, view.resolve));
    const label = frame.locale.messages.examples;
    return {
      kind: 'aside',
      markup: html`<aside id="content-side-layout" class="d-rail d-aside" aria-label="${label}"><div class="d-rail-in">${aside}</div></aside>`,
    };
  }
  if (!LAYOUTS[view.page.mode].rail) return { kind: 'none', markup: emptyHtml };
  const headings = toc(
    frame,
    view.content.toc.map(translateEntry(frame)),
    changelogEntries(view.content),
  );
  const actions = railActions(frame, view);
  const markup = html`<div id="content-side-layout" class="d-rail"><div id="table-of-contents-layout">${headings}${actions}</div></div>`;
  return { kind: 'toc', markup, hasToc: headings.value !== '' };
}

interface PlacedRail {
  before: Html;
  inside: Html;
  after: Html;
}

/**
 * Without a free column, examples follow the introduction of the endpoint; the headings have a
 * column or a menu of their own.
 * @param finish translates a part of the article and resolves its links; only afterwards, because
 *   to search what it returns V8 would copy it
 */
function placeRail(
  article: string,
  { kind, markup }: Rail,
  finish: (part: string) => string,
): PlacedRail {
  const place = kind === 'aside' ? article.indexOf(examplesPlace.value) : -1;
  if (place >= 0) {
    const rest = article.slice(place + examplesPlace.value.length);
    const filled = finish(article.slice(0, place)) + markup.value + finish(rest);
    return { before: emptyHtml, inside: trustedHtml(filled), after: emptyHtml };
  }
  const inside = trustedHtml(finish(article));
  return kind === 'aside'
    ? { before: markup, inside, after: emptyHtml }
    : { before: emptyHtml, inside, after: markup };
}

/**
 * Matches a component, a frame around something from elsewhere, what a compiler says about code, an
 * error, output of a terminal, or an element of the author's own design, whose rules are in
 * `components.css`. Those of the components named here are in `site.css`, because most pages have
 * one.
 */
const COMPONENT =
  / data-component="(?!(?:callout|code-block|code-group|frame)")| class="d-(?:outside|embed|document|hint|mention|check-list|src-(?:fault|note|word)|fault)\b| class="ka|not-prose/;

/** Pages that their authors design. */
const DESIGNED = /^(?:custom|frame|assistant)$/;

/**
 * Style sheets that only some pages need. The markup decides, so it holds for pages of an earlier
 * build too; what the author's own components will show is not in it.
 */
function pageStyles(
  { elements, html: article, aside }: ShownContent,
  list: Html,
  { page, related = [] }: PageView,
): ThemeAsset[] {
  const hasComponents =
    DESIGNED.test(page.mode) ||
    related.length > 0 ||
    elements.includes('docent-island') ||
    [list.value, aside, article].some((part) => COMPONENT.test(part));
  return [
    ...(elements.includes('katex') ? (['katex.css'] as const) : []),
    ...(hasComponents ? (['components.css'] as const) : []),
  ];
}

/** Matches what `components.js` brings to life, in whatever part of the page. */
const SCRIPTED =
  /<docent-(?:color|island|mermaid|prompt|tooltip|tabs|tree|update|view)\b|<img\b(?! class="d-icon)| class="d-(?:hint|endpoint)\b/;

/**
 * Renders one page of a site as a whole document. Shared parts (sidebar, fixed parts of head and
 * header) are rendered once for each `SiteView` object, so keep one object for all pages of an
 * output.
 */
export function renderPage(view: PageView): string {
  const { page, content, menu } = view;
  const frame = frameOf(view, page.href, menu.language ?? page.language);
  const layout = LAYOUTS[page.mode];
  const levels = placeLevels(menu);
  const side = rail(frame, view);
  const bar = localBar(frame, {
    section: menu.breadcrumbs.at(-1)?.label,
    title: page.sidebarTitle ?? page.title,
    hasToc: side.hasToc === true,
  });
  const translate = apiWords(frame.locale);
  const { before, inside, after } = placeRail(content.html, side, (part) =>
    resolveMarks(part, view.resolve, (text) => translateWords(text, translate)),
  );
  const list = directory(frame, menu, page.title);
  const area = html`<div id="content-area" class="d-content" tabindex="-1">${layout.ends && pageHeader(frame, view)}${before}<article id="content" class="d-prose prose mdx-content">${inside}${list}</article>${relatedPages(frame, frame.locale.messages.related, view.related)}${layout.ends && pageFeedback(frame, page)}${lastUpdated(frame, page)}${layout.ends && pagination(frame, view)}</div>`;
  const end = layout.ends ? oncePerScope(frame, 'footer', () => footer(frame)) : emptyHtml;
  const sidebar = sidebarPanel(frame, levels, menu, page.path);
  const shell = shellOf(familyOf(view.site.config.theme), layout);
  const regions = arrange(shell, {
    header: header(frame, levels, bar),
    sidebar,
    body: html`<div id="content-container" class="d-body"><main class="d-main">${area}${after}</main>${end}</div>`,
    sidebarColumn: layout.sidebar,
    rail: side.kind,
  });
  return documentOf({
    frame,
    head: head(frame, {
      ...headPage(page, menu),
      styles: pageStyles(content, list, view),
      hasComponentScript: [content.aside, content.html].some((part) => SCRIPTED.test(part)),
      scripts: content.scripts,
    }),
    hasTabs: hasTabs(levels),
    shell,
    body: regions,
    mode: page.mode,
    version: menu.version ?? page.version,
    language: menu.language ?? page.language,
    elements: content.elements,
  });
}

/**
 * Renders the page for unknown paths, in the site's design.
 * @param view the menu may be that of the start page; it offers further links
 */
export function renderNotFound(view: NotFoundView): string {
  const { menu } = view;
  // Pages of a bundle are reached from here by a full load: addresses before and after a swap would
  // have different bases.
  const { build: _, ...site } = view.site;
  const frame = frameOf({ ...view, site: view.start ? site : view.site }, '/404', menu.language);
  const { messages } = frame.locale;
  const title = site.config.errors404.title || messages.notFoundTitle;
  const text = site.config.errors404.description || messages.notFoundText;
  const levels = placeLevels(menu);
  const search = html`<button type="button" class="d-btn d-needs-js" data-search-open aria-haspopup="dialog">${interfaceIcon('search')}<span>${messages.search}</span></button>`;
  const home = html`<a class="d-btn d-btn-accent" href="${linkTo(frame, '/')}"><span>${messages.notFoundHome}</span></a>`;
  const area = html`<div id="content-area" class="d-content d-not-found not-found-container" tabindex="-1"><p class="d-not-found-status not-found-status-code" aria-hidden="true">404</p><h1 id="page-title" class="d-title not-found-title">${title}</h1><p class="d-description not-found-description">${inlineMarkdown(frame, text)}</p><div class="d-not-found-ways">${home}${search}</div>${relatedPages(frame, messages.notFoundRelated, view.related)}</div>`;
  const sidebar = sidebarPanel(frame, levels, menu, undefined);
  const bar = localBar(frame, { title, hasToc: false });
  return documentOf({
    frame,
    head: html`${view.start ?? emptyHtml}${head(frame, { href: '/404', title, description: text, unlisted: true, bare: true, styles: ['components.css'] })}`,
    hasTabs: hasTabs(levels),
    shell: 'top',
    body: arrange('top', {
      header: header(frame, levels, bar),
      sidebar,
      body: html`<div id="content-container" class="d-body"><main class="d-main">${area}</main></div>`,
      sidebarColumn: false,
      rail: 'none',
    }),
    mode: 'center',
    version: menu.version,
    language: menu.language,
  });
}

/**
 * Returns the translator for the words of API pages. The page contains the English ones.
 * @returns takes a word and its form in the page
 */
function apiWords({ tag, code, messages }: Locale): (word: ApiWord, english: string) => string {
  if (code === 'en') return (_, english) => english;
  const { playground: texts, symbols } = TRANSLATIONS[code];
  return (word, english) => {
    if (word === 'ownProperties') return texts.properties;
    if (isSymbolWord(word)) return symbols[word];
    if (word === 'tryIt') return messages.tryIt;
    if (word === 'deprecatedTitle') return messages.deprecated;
    if (word === 'deprecated') return messages.deprecated.toLocaleLowerCase(tag);
    // Plural rules after numbers differ by language.
    if (word === 'properties') return `${texts.properties} (${Number.parseInt(english, 10)})`;
    if (word === 'servers') return `${texts.server} (${Number.parseInt(english, 10)})`;
    return word === 'authorizations' ? texts.authorization : texts[word];
  };
}

/**
 * Renders a list of pages that no page has as a whole, for the file that contains it.
 * @param view of any page of the site
 */
export function renderWholeSidebar(
  view: Pick<PageView, 'site' | 'resolve'>,
  href: string,
  menu: WholeSidebar,
): string {
  return wholeSidebarMarkup(frameOf(view, href, menu.language), menu.items);
}
