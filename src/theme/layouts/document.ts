import { attributes, type Html, html } from '../../core/html.ts';
import type { Frame } from '../frame.ts';
import { banner } from '../parts/banner.ts';
import { clientData } from '../parts/client-data.ts';
import { familyOf, type Shell } from './theme-layout.ts';

/** The parts of one document, from the outside in. */
export interface DocumentParts {
  frame: Frame;
  head: Html;
  hasTabs: boolean;
  shell: Shell;
  /** The regions, in shell order. */
  body: Html;
  mode: string;
  version?: string;
  language?: string;
  /** Whether readers can send a request from the page. */
  hasPlayground?: boolean;
}

/**
 * Renders the whole document. A site's own CSS relies on `data-current-path`, `data-theme` and the ids of the regions. The class
 * `dark` is preset if dark is the default, for readers without scripts.
 */
export function documentOf(parts: DocumentParts): string {
  const { frame, version, language } = parts;
  const { config } = frame.site;
  const root = attributes({
    lang: frame.locale.tag,
    dir: frame.locale.direction,
    class: config.appearance.default === 'dark' ? 'dark' : undefined,
    'data-current-path': frame.href,
    'data-theme': config.theme,
    'data-layout': familyOf(config.theme),
    'data-shell': parts.shell,
    'data-mode': parts.mode,
    'data-tabs': parts.hasTabs,
    'data-code-mode': config.codeblocks.mode === 'dark' ? 'dark' : undefined,
    'data-decoration': config.background.image ? 'image' : config.background.decoration,
    'data-version': version,
    'data-language': language,
  });
  const data = clientData(frame, { version, language, hasPlayground: parts.hasPlayground });
  return html`<!doctype html>
<html${root}><head>${parts.head}</head><body><a class="d-skip" href="#content-area">${frame.locale.messages.skipToContent}</a>${banner(frame)}${parts.body}${data}</body></html>
`.value;
}
