import type { RequestInputs } from '../../../core/api-reference/playground/request-inputs.ts';
import type { PlaygroundMessages } from '../../translations/translations.ts';
import { pageData } from '../page-data.ts';
import { ChannelDialog } from './channel-dialog.ts';
import { withHandWrittenFields } from './hand-written-fields.ts';
import { PlaygroundDialog } from './playground-dialog.ts';
import { hasProxy } from './proxy.ts';

/** The style sheet of the dialog, inserted by the theme build. */
declare const PLAYGROUND_STYLES: string;
/** Its English strings, likewise. */
declare const PLAYGROUND_TEXTS: PlaygroundMessages;

const sheet = new CSSStyleSheet();
sheet.replaceSync(PLAYGROUND_STYLES);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

let isOpening = false;

async function open(opener: HTMLElement): Promise<void> {
  const data = document.querySelector('script[data-playground]')?.textContent;
  if (!data || isOpening || document.querySelector('dialog.d-pg[open]')) return;
  const inputs = JSON.parse(data) as RequestInputs;
  isOpening = true;
  const isProxied = inputs.isProxied === true && (await hasProxy());
  isOpening = false;
  if (!opener.isConnected) return;
  const title = document.getElementById('page-title')?.textContent?.trim() ?? inputs.route;
  const texts = globalThis.__docentPlaygroundTexts?.[pageData().playground?.texts?.code ?? ''] ?? PLAYGROUND_TEXTS;
  const frame = { texts, isExpanded: inputs.isExpanded === true, isProxied };
  const whole = inputs.byHand ? withHandWrittenFields(inputs) : inputs;
  const name = `${opener.textContent ?? ''}: ${title}`;
  if (whole.messages) new ChannelDialog(frame, whole, whole.messages, name).open();
  else new PlaygroundDialog(frame, whole, name).open();
}

globalThis.__docentPlayground = { open: (opener) => void open(opener) };
