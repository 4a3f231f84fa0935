/** The style sheet of the panel, inserted by the theme build. */
declare const ASSISTANT_STYLES: string;

/**
 * Creates an element at the end of the document, isolated from the page, with the style sheet of the panel.
 * @param tag name of the element
 */
export function shadowHost(tag: string): { host: HTMLElement; root: ShadowRoot } {
  const host = document.createElement(tag);
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(ASSISTANT_STYLES);
  root.adoptedStyleSheets = [sheet];
  document.body.append(host);
  return { host, root };
}
