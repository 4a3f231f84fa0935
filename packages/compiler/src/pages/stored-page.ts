import { requireReadable, STORED_FORMS } from '@docent/format/build/stored-forms.ts';
import { concatenate } from '@docent/format/bytes.ts';
import type { PageContent, ShownContent } from '@docent/format/content/page/page-content.ts';
import { withPresentNames } from './former-names.ts';

type Head = Omit<PageContent, 'html' | 'aside' | 'markdown'> & {
  bytes: [html: number, aside: number, markdown: number];
  /**
   * Number of its form, which changes with HTML that the theme's styles and scripts depend on;
   * absent from pages of form 1.
   */
  form?: number;
};

const FORM = STORED_FORMS.page.writes;

/** Media type of a stored page. */
export const PAGE_TYPE = 'application/vnd.docent.page';

const NEWLINE = 10;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Returns a page as the file that stores it: a line of JSON (`Head`), then the HTML, the right rail
 * and the Markdown as UTF-8. The pages of large API descriptions have hundreds of kilobytes of
 * text, and JSON would copy each text several times.
 */
export function writeStoredPage({
  html,
  aside,
  markdown,
  ...rest
}: PageContent): Uint8Array<ArrayBuffer> {
  const texts = [html, aside, markdown].map((text) => encoder.encode(text));
  const head = encoder.encode(
    `${JSON.stringify({ ...rest, form: FORM, bytes: texts.map((text) => text.byteLength) })}\n`,
  );
  return concatenate([head, ...texts]);
}

/** A stored page whose Markdown is still the bytes of the file. */
export interface PageParts extends ShownContent {
  markdown: Uint8Array;
}

/**
 * Reads what `writeStoredPage` wrote. @throws DocentError `database_too_new` if a newer version has
 * written it
 */
export function readStoredPage(file: Uint8Array): PageContent {
  const parts = readPageParts(file);
  return { ...parts, markdown: decoder.decode(parts.markdown) };
}

/** The same without its Markdown as a text, for those that only pass it on. */
export function readPageParts(file: Uint8Array): PageParts {
  const headEnd = file.indexOf(NEWLINE);
  // Builds of earlier versions have pages in JSON alone, which contains no newline.
  if (headEnd < 0) {
    const { html, aside, markdown, ...rest } = JSON.parse(decoder.decode(file)) as PageContent;
    return {
      ...rest,
      html: withPresentNames(html),
      aside: withPresentNames(aside),
      markdown: encoder.encode(markdown),
    };
  }
  const {
    bytes,
    form = 1,
    ...rest
  } = JSON.parse(decoder.decode(file.subarray(0, headEnd))) as Head;
  requireReadable('page', form);
  const asideAt = headEnd + 1 + bytes[0];
  const markdownAt = asideAt + bytes[1];
  const present = form >= 2 ? (html: string) => html : withPresentNames;
  return {
    ...rest,
    html: present(decoder.decode(file.subarray(headEnd + 1, asideAt))),
    aside: present(decoder.decode(file.subarray(asideAt, markdownAt))),
    markdown: file.subarray(markdownAt, markdownAt + bytes[2]),
  };
}

/** Returns the Markdown of a stored page, without the rest. */
export function storedMarkdown(file: Uint8Array): Uint8Array {
  const headEnd = file.indexOf(NEWLINE);
  if (headEnd < 0) return readPageParts(file).markdown;
  const { bytes } = JSON.parse(decoder.decode(file.subarray(0, headEnd))) as Head;
  const markdownAt = headEnd + 1 + bytes[0] + bytes[1];
  return file.subarray(markdownAt, markdownAt + bytes[2]);
}
