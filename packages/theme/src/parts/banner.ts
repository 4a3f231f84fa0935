import { inlineRuns } from '@docent/format/content/nodes/inline-runs.ts';
import type { SiteConfig } from '@docent/format/docs-json/site-config.ts';
import { emptyHtml, type Html, html, trustedHtml } from '@docent/format/html.ts';
import { asSurface, formatColor, parseColor, textOn } from '../colors/color.ts';
import { type Frame, linkAttributes } from '../view/frame.ts';
import { interfaceIcon } from './icons.ts';

/** The Markdown allowed in texts of the configuration and in descriptions of pages. */
export function inlineMarkdown(frame: Frame, text: string): Html[] {
  return inlineRuns(text).map(({ text: inner, mark, target }) => {
    if (mark === 'code') return html`<code>${inner}</code>`;
    if (mark)
      return html`<${trustedHtml(mark)}>${inlineMarkdown(frame, inner)}</${trustedHtml(mark)}>`;
    if (target === undefined) return html`${inner}`;
    return html`<a${linkAttributes(frame, target)}>${inlineMarkdown(frame, inner)}</a>`;
  });
}

/**
 * Returns a hash of a text, so that a dismissed banner stays hidden until its content changes
 * (FNV-1a, 32 bits).
 */
export function textMark(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36);
}

/**
 * The banner above the header. If dismissed, a rule in the head hides it before the first paint.
 */
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
