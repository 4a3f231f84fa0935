import { word } from '../../content/page/words.ts';
import { attributes, escapeHtml, type Html, html, joinHtml, trustedHtml } from '../../html.ts';

export interface EndpointBar {
  method: string;
  /** Path, address or name. */
  route: string;
  /** The prefix of the path: addresses of the servers, the default first. */
  servers: readonly { url: string; description?: string }[];
  deprecated: boolean;
  /** Content at the end of the bar. */
  action?: Html;
}

/** The bar with the method and the path of an operation; further servers are collapsed below it. */
export function endpointBar(bar: EndpointBar): Html {
  const [server, ...others] = bar.servers;
  const deprecated =
    bar.deprecated && html`<span class="d-endpoint-tag">${word('deprecated')}</span>`;
  // The name of a topic is no path on its server.
  const gap = /^[/{]/.test(bar.route) ? '' : ' ';
  const base =
    server && server.url !== '' && html`<span class="d-endpoint-server">${server.url}</span>${gap}`;
  // The button that copies the path takes the place of the empty element, so that nothing moves.
  const line = html`<div class="d-endpoint" data-component="endpoint">${methodBadge(bar.method)}<code class="d-endpoint-path">${base}${routeMarkup(
    bar.route,
  )}</code><span class="d-copy d-needs-js"></span>${deprecated}${bar.action}</div>`;
  if (server === undefined || others.length === 0) return line;
  const items = bar.servers.map(
    (item) => html`<li><code>${item.url}</code> ${item.description}</li>`,
  );
  return html`${line}<details class="d-servers"><summary>${word('servers', `${bar.servers.length} servers`)}</summary><ul>${joinHtml(items)}</ul></details>`;
}

/** A colored badge; the color comes from the method's name. */
export function methodBadge(method: string): Html {
  return html`<span class="d-method method-pill"${attributes({ 'data-method': method })}>${method}</span>`;
}

/** The path with marked parameters and line break opportunities. */
function routeMarkup(route: string): Html {
  const marked = escapeHtml(route.slice(0, 2_000))
    .replace(/\{[^{}]{0,200}\}/g, '<span class="d-endpoint-param">$&</span>')
    .replace(/\/(?=[^/<])/g, '/<wbr>');
  // Escaped above; the added markup is trusted. The lookahead skips `</span>`, whose slash follows
  // `<`.
  return trustedHtml(marked.replaceAll('</<wbr>', '</'));
}
