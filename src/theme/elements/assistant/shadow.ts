/** The style of the panel, put in by the build of the theme. */
declare const ASSISTANT_STYLES: string;

/**
 * An element at the end of the document that nothing of the page reaches into, with the style of the panel.
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
