import { type Html, html, trustedHtml } from '../../core/html.ts';
import { type Frame, fileAt, linkTo } from '../frame.ts';

/** The logo, or the site's name if there is none, linked to the start page. */
export function logo(frame: Frame): Html {
  const { config } = frame.site;
  const home = trustedHtml(linkTo(frame, config.logo?.href ?? '/'));
  const files = config.logo;
  if (!files?.light) return html`<a class="d-logo" href="${home}"><span>${config.name}</span></a>`;
  const image = (path: string, mode: string): Html =>
    html`<img class="nav-logo${mode}" src="${trustedHtml(fileAt(frame, path))}" alt="${config.name}" height="28">`;
  const dark = files.dark || files.light;
  if (dark === files.light) return html`<a class="d-logo" href="${home}">${image(files.light, '')}</a>`;
  return html`<a class="d-logo" href="${home}">${image(files.light, ' d-light-only')}${image(dark, ' d-dark-only')}</a>`;
}
