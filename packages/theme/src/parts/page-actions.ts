import type { ContextualOption, SiteConfig } from '@docent/format/docs-json/site-config.ts';
import { attributes, emptyHtml, type Html, html, trustedHtml } from '@docent/format/html.ts';
import { fill } from '../translations/fill.ts';
import type { Messages } from '../translations/translations.ts';
import { type Frame, fileAt, isExternal, linkTo, markdownPath, siteIcon } from '../view/frame.ts';
import type { PageView } from '../view/page-view.ts';
import { type InterfaceIcon, interfaceIcon } from './icons.ts';

/** An action for readers of the page: a link, or a button that needs scripts. */
interface PageAction {
  label: string;
  /** A line below the label. */
  text: string;
  icon: Html;
  /** Absent: a button. */
  href?: string;
  /** The button's action, or how the link opens; written into the tag. */
  attributes: Html;
}

const DEFAULT_OPTIONS: ContextualOption[] = ['copy', 'view', 'assistant'].map((name) => ({
  kind: 'builtin',
  name,
}));

interface Scope {
  frame: Frame;
  view: PageView;
  /** URL of the page if known. */
  address: string | undefined;
  mcp: string | undefined;
}

type Make = (scope: Scope) => PageAction | undefined;

function action(
  frame: Frame,
  icon: InterfaceIcon,
  label: keyof Messages,
  text: keyof Messages,
  more: { href?: string; attributes?: Record<string, string>; name?: string },
): PageAction {
  const { messages } = frame.locale;
  const values = { name: more.name ?? '' };
  return {
    label: fill(messages[label], values),
    text: fill(messages[text], values),
    icon: interfaceIcon(icon),
    ...(more.href === undefined ? {} : { href: more.href }),
    attributes: attributes(more.attributes ?? {}),
  };
}

const ELSEWHERE = { target: '_blank', rel: 'noreferrer' };

/** @param assistant its address, to which the question is appended */
function openIn(name: string, assistant: string): Make {
  return ({ frame, address }) => {
    if (address === undefined) return undefined;
    const question = fill(frame.locale.messages.askPrompt, { url: `${address}.md` });
    const href = assistant + encodeURIComponent(question);
    return action(frame, 'chat', 'openIn', 'openInText', { href, attributes: ELSEWHERE, name });
  };
}

function connect(name: string, address: (mcp: string, site: string) => string): Make {
  return ({ frame, mcp }) => {
    if (mcp === undefined) return undefined;
    // Deep links have custom schemes, which `linkTo` would reject; both parts are encoded.
    const href = address(mcp, frame.site.config.name);
    return action(frame, 'plug', 'connectTo', 'connectToText', { href, name });
  };
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

function specification({ frame, view }: Scope): PageAction | undefined {
  const [first] = view.site.config.api.openapi;
  if (!first || !view.page.method) return undefined;
  if (isExternal(first.source) && frame.site.linkStyle === 'html') return undefined;
  const href = isExternal(first.source) ? linkTo(frame, first.source) : fileAt(frame, first.source);
  return action(frame, 'download', 'downloadSpec', 'downloadSpecText', {
    href,
    attributes: { download: '' },
  });
}

/** The actions of the format by name, which settings are checked for. */
const BUILTIN: Readonly<Record<string, Make>> = {
  copy: ({ frame }) =>
    action(frame, 'copy', 'copyPage', 'copyPageText', { attributes: { 'data-copy-page': '' } }),
  view: ({ frame, view }) =>
    action(frame, 'markdown', 'viewAsMarkdown', 'viewText', {
      href: markdownPath(frame, view.page.href),
    }),
  assistant: ({ frame }) =>
    frame.site.hasAssistant
      ? action(frame, 'chat', 'askAssistant', 'askAssistantText', {
          attributes: { 'data-ask': '' },
        })
      : undefined,
  'download-pdf': ({ frame }) =>
    action(frame, 'print', 'savePdf', 'savePdfText', { attributes: { 'data-print': '' } }),
  'download-spec': specification,
  mcp: ({ frame, mcp }) =>
    mcp === undefined
      ? undefined
      : action(frame, 'plug', 'copyMcp', 'copyMcpText', { attributes: { 'data-copy-text': mcp } }),
  'add-mcp': ({ frame, mcp }) =>
    mcp === undefined
      ? undefined
      : action(frame, 'plug', 'addMcp', 'addMcpText', {
          attributes: { 'data-copy-text': `npx add-mcp ${mcp}` },
        }),
  cursor: connect('Cursor', (url, name) => {
    const config = base64(JSON.stringify({ url }));
    return `cursor://anysphere.cursor-deeplink/mcp/install?name=${encodeURIComponent(name)}&config=${encodeURIComponent(config)}`;
  }),
  vscode: connect(
    'VS Code',
    (url, name) => `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, url }))}`,
  ),
  // Programs that accept a question in their URL. `devin-desktop` and `devin-mcp` have no
  // documented URL.
  chatgpt: openIn('ChatGPT', 'https://chatgpt.com/?hints=search&q='),
  claude: openIn('Claude', 'https://claude.ai/new?q='),
  perplexity: openIn('Perplexity', 'https://www.perplexity.ai/search?q='),
  grok: openIn('Grok', 'https://grok.com/?q='),
  aistudio: openIn('Google AI Studio', 'https://aistudio.google.com/prompts/new_chat?prompt='),
  devin: openIn('Devin', 'https://app.devin.ai/?prompt='),
};

/** Replaces `$page`, `$path` and `$mcp`; undefined if one of them is unknown in this output. */
function filled(text: string, scope: Scope, encode: (value: string) => string): string | undefined {
  const variables: Record<string, string | undefined> = {
    $page: scope.address,
    $path: scope.view.page.href.replace(/^\//, ''),
    $mcp: scope.mcp,
  };
  let missing = false;
  const out = text.replace(/\$(?:page|path|mcp)\b/g, (name) => {
    const value = variables[name];
    missing ||= value === undefined;
    return encode(value ?? '');
  });
  return missing ? undefined : out;
}

function customAddress(
  href: Extract<ContextualOption, { kind: 'custom' }>['href'],
  scope: Scope,
): string | undefined {
  if (typeof href === 'string') return filled(href, scope, encodeURI);
  const base = filled(href.base, scope, encodeURI);
  const pairs = href.query.map(({ key, value }) => {
    const text = filled(value, scope, (part) => part);
    return text === undefined
      ? undefined
      : `${encodeURIComponent(key)}=${encodeURIComponent(text)}`;
  });
  if (base === undefined || pairs.includes(undefined)) return undefined;
  return pairs.length === 0 ? base : `${base}${base.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}

function customAction(
  option: Extract<ContextualOption, { kind: 'custom' }>,
  scope: Scope,
): PageAction | undefined {
  const address = customAddress(option.href, scope);
  if (address === undefined) return undefined;
  return {
    label: option.title,
    text: option.description,
    icon: option.icon ? siteIcon(scope.frame, option.icon) : emptyHtml,
    href: linkTo(scope.frame, address),
    attributes: attributes(isExternal(address) ? ELSEWHERE : {}),
  };
}

/** Returns the settings of the page's menu: its own, the site's, or the default. */
function settings(view: PageView): NonNullable<SiteConfig['contextual']> {
  return (
    view.page.contextual ??
    view.site.config.contextual ?? { display: 'header', options: DEFAULT_OPTIONS }
  );
}

/**
 * Returns the actions of the page, in the order of the settings; omits what cannot work in this
 * output of the site.
 */
export function pageActionsOf(frame: Frame, view: PageView): PageAction[] {
  const root = view.site.origin;
  const path = view.page.href === '/' ? '/index' : view.page.href;
  const scope: Scope = {
    frame,
    view,
    address: root === undefined ? undefined : root + path,
    mcp: view.site.mcpUrl,
  };
  const actions = settings(view).options.map((option) =>
    option.kind === 'custom' ? customAction(option, scope) : BUILTIN[option.name]?.(scope),
  );
  return actions.filter((pageAction) => pageAction !== undefined);
}

/**
 * The tag and contents of an action: a link works without scripts, a button is hidden without them.
 */
function control(action: PageAction, className: string, content: Html): Html {
  if (action.href !== undefined)
    return html`<a class="${className}" href="${action.href}"${action.attributes}>${content}</a>`;
  return html`<button type="button" class="${className} d-needs-js"${action.attributes}>${content}</button>`;
}

function menuItem(action: PageAction): Html {
  const text = action.text ? html`<span class="d-menu-text">${action.text}</span>` : emptyHtml;
  const label = html`<span class="d-menu-label"><span data-action-label>${action.label}</span>${text}</span>`;
  const needsScripts = action.href === undefined ? trustedHtml(' class="d-needs-js"') : emptyHtml;
  return html`<li${needsScripts}>${control(action, 'd-menu-item', html`${action.icon}${label}`)}</li>`;
}

/** The page's actions: the first one as a button, all of them in the menu beside it. */
function splitButton(frame: Frame, actions: readonly PageAction[]): Html {
  const [first] = actions;
  if (!first) return emptyHtml;
  const main = control(
    first,
    'd-btn d-btn-small',
    html`${first.icon}<span data-action-label>${first.label}</span>`,
  );
  if (actions.length === 1) return main;
  return html`${main}<details class="d-switch d-switch-more" data-menu="actions"><summary class="d-btn d-btn-small" id="page-context-menu-button" aria-label="${frame.locale.messages.moreActions}"></summary><ul class="d-menu d-menu-end d-menu-wide">${actions.map(menuItem)}</ul></details>`;
}

/**
 * The page menu beside its title. If the settings move it below the headings, it is only shown here
 * on small screens.
 */
export function pageActions(frame: Frame, view: PageView): Html {
  const buttons = splitButton(frame, pageActionsOf(frame, view));
  if (!buttons.value) return emptyHtml;
  return html`<div class="d-actions" id="page-context-menu" data-display="${settings(view).display}">${buttons}</div>`;
}

/** The page menu as a list below the headings; nothing if the settings put it beside the title. */
export function railActions(frame: Frame, view: PageView): Html {
  if (settings(view).display !== 'toc') return emptyHtml;
  const actions = pageActionsOf(frame, view);
  if (actions.length === 0) return emptyHtml;
  const items = actions.map((action) => {
    const label = html`${action.icon}<span data-action-label>${action.label}</span>`;
    return html`<li>${control(action, 'd-rail-action', label)}</li>`;
  });
  return html`<ul class="d-rail-actions" aria-label="${frame.locale.messages.moreActions}">${items}</ul>`;
}
