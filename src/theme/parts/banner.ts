import type { SiteConfig } from '../../core/docs-json/site-config.ts';
import { emptyHtml, escapeHtml, type Html, html, trustedHtml } from '../../core/html.ts';
import { formatColor, parseColor } from '../colors/color.ts';
import { asSurface, textOn } from '../colors/readable.ts';
import { type Frame, isExternal, linkTo } from '../frame.ts';
import { interfaceIcon } from './interface-icons.ts';

const INLINE = /\[([^[\]\n]+)\]\(([^)\s]+)\)|\*\*([^*\n]+)\*\*|`([^`\n]+)`|(?<![\w*])[*_]([^*_\n]+)[*_](?![\w*])/g;

/** The Markdown allowed in texts of the configuration: links, strong, emphasis, code. Everything else is text. */
export function inlineMarkdown(frame: Frame, text: string): Html {
  let out = '';
  let from = 0;
  for (const found of text.matchAll(INLINE)) {
    const [whole, label, target, strong, code, emphasis] = found;
    out += escapeHtml(text.slice(from, found.index));
    if (label !== undefined && target !== undefined) {
      const rel = isExternal(target) ? ' rel="noreferrer"' : '';
      out += `<a href="${linkTo(frame, target)}"${rel}>${escapeHtml(label)}</a>`;
    } else if (strong !== undefined) out += `<strong>${escapeHtml(strong)}</strong>`;
    else if (code !== undefined) out += `<code>${escapeHtml(code)}</code>`;
    else out += `<em>${escapeHtml(emphasis ?? '')}</em>`;
    from = found.index + whole.length;
  }
  return trustedHtml(out + escapeHtml(text.slice(from)));
}

/** Returns a hash of a text, so that a dismissed banner stays hidden until its content changes (FNV-1a, 32 bits). */
export function textMark(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** The banner above the header. If dismissed, a rule in the head hides it before the first paint. */
export function banner(frame: Frame): Html {
  const settings = frame.site.config.banner;
  if (!settings?.content.trim()) return emptyHtml;
  const { messages } = frame.locale;
  const close = settings.dismissible
    ? html`<button type="button" class="d-banner-close d-needs-js" data-banner-dismiss="${textMark(settings.content)}" aria-label="${messages.dismiss}">${interfaceIcon('close')}</button>`
    : emptyHtml;
  return html`<section id="banner" class="d-banner" data-type="${settings.type}" aria-label="${messages.announcement}"><div>${inlineMarkdown(frame, settings.content.trim())}</div>${close}</section>`;
}

/** Hides the banner if the reader dismissed this exact text, and sets the author's color. */
export function bannerRule(banner: SiteConfig['banner']): string {
  if (!banner?.content.trim()) return '';
  const hidden = `html[data-banner-dismissed="${textMark(banner.content)}"] #banner{display:none}`;
  if (!banner.color) return hidden;
  return `${hidden}#banner{${surface(banner.color.light)}}html.dark #banner{${surface(banner.color.dark)}}`;
}

/** Returns the color as a background, with a readable text color. */
function surface(color: string): string {
  const parsed = parseColor(color);
  if (!parsed) return '';
  const background = asSurface(parsed);
  return `background:${formatColor(background)};color:${formatColor(textOn(background))};border-block-end:0`;
}
