import { withoutInlineMarks } from '@docent/format/content/nodes/inline-runs.ts';
import { attributes, emptyHtml, type Html, html } from '@docent/format/html.ts';
import type { DirectoryItem, PageMenu } from '@docent/format/navigation/navigation.ts';
import { type Frame, linkAttributes, siteIcon } from '../view/frame.ts';

/**
 * Lists the contents of the page's group, as cards or as accordions; nothing if the page has no
 * list.
 */
export function directory(frame: Frame, menu: Pick<PageMenu, 'directory'>, title: string): Html {
  if (!menu.directory) return emptyHtml;
  const { style, items } = menu.directory;
  const listed = style === 'card' ? cards(frame, items) : accordions(frame, items);
  return html`<nav class="d-directory directory" aria-label="${title}">${listed}</nav>`;
}

function cards(frame: Frame, items: readonly DirectoryItem[]): Html {
  return html`<div class="d-columns" data-component="columns" data-cols="2">${items.map((item) => card(frame, item))}</div>`;
}

function card(frame: Frame, item: DirectoryItem): Html {
  const icon = siteIcon(frame, item.icon);
  const drawing =
    icon.value === '' ? emptyHtml : html`<div class="d-box-sign" aria-hidden="true">${icon}</div>`;
  const text =
    item.description === undefined
      ? emptyHtml
      : html`<div class="d-box-body"><p>${withoutInlineMarks(item.description)}</p></div>`;
  return html`<div class="d-card directory-card" data-component="card" data-link><div class="d-box-inner">${drawing}<div class="d-box-text"><div class="d-box-title">${link(frame, item, 'd-box-link')}</div>${text}</div></div></div>`;
}

/** Groups as `<details>`, the pages between them as lists. */
function accordions(frame: Frame, items: readonly DirectoryItem[]): Html {
  const parts: Html[] = [];
  let pages: DirectoryItem[] = [];
  const flush = () => {
    if (pages.length > 0) parts.push(pageList(frame, pages));
    pages = [];
  };
  for (const item of items) {
    if (item.items === undefined) pages.push(item);
    else {
      flush();
      parts.push(accordion(frame, item, item.items));
    }
  }
  flush();
  return html`${parts}`;
}

function accordion(frame: Frame, group: DirectoryItem, items: readonly DirectoryItem[]): Html {
  const icon = siteIcon(frame, group.icon);
  const drawing =
    icon.value === ''
      ? emptyHtml
      : html`<span class="d-fold-sign" aria-hidden="true">${icon}</span>`;
  const about =
    group.description === undefined
      ? emptyHtml
      : html`<span class="d-fold-text">${group.description}</span>`;
  return html`<details class="d-accordion directory-group" data-component="accordion"><summary><i class="d-sign" data-sign="chevron" aria-hidden="true"></i>${drawing}<span class="d-fold-head"><span class="d-fold-title">${group.label}</span>${about}</span></summary><div class="d-fold-body">${accordions(frame, items)}</div></details>`;
}

function pageList(frame: Frame, pages: readonly DirectoryItem[]): Html {
  const items = pages.map((page) => {
    const text =
      page.description === undefined ? emptyHtml : html` – ${withoutInlineMarks(page.description)}`;
    return html`<li>${link(frame, page)}${text}</li>`;
  });
  return html`<ul>${items}</ul>`;
}

function link(frame: Frame, item: DirectoryItem, name?: string): Html {
  return html`<a${attributes({ class: name })}${linkAttributes(frame, item.href)}>${item.label}</a>`;
}
