import type { RequestInputs } from '../../../core/api-reference/playground/request-inputs.ts';
import { en } from '../../translations/playground/en.ts';
import { pageData } from '../page-data.ts';
import { withHandWrittenFields } from './hand-written-fields.ts';
import { PlaygroundDialog } from './playground-dialog.ts';

/** The style of the dialog, put in by the build of the theme. */
declare const PLAYGROUND_STYLES: string;

const sheet = new CSSStyleSheet();
sheet.replaceSync(PLAYGROUND_STYLES);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

function open(opener: HTMLElement): void {
  const data = document.querySelector('script[data-playground]')?.textContent;
  if (!data || document.querySelector('dialog.d-pg[open]')) return;
  const inputs = JSON.parse(data) as RequestInputs;
  const title = document.getElementById('page-title')?.textContent?.trim() ?? inputs.route;
  const texts = globalThis.__docentPlaygroundTexts?.[pageData().playground?.texts?.code ?? ''] ?? en;
  const frame = { texts, isExpanded: inputs.isExpanded === true };
  const whole = inputs.byHand ? withHandWrittenFields(inputs) : inputs;
  new PlaygroundDialog(frame, whole, `${opener.textContent ?? ''}: ${title}`).open();
}

globalThis.__docentPlayground = { open };
