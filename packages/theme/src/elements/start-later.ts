import { onClick } from './dom.ts';
import { pageData } from './page-data.ts';
import { pageScript } from './page-scripts.ts';

const later = () => pageScript('later');

/** "Was this page helpful?": a press is sent immediately, the reason and the comment on submit. */
export function startPageFeedback(): void {
  onClick('form[data-feedback] [data-helpful]', (button) => {
    later().then((script) => script.rate(button), reportError);
  });
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (form.dataset.feedback === undefined) return;
    event.preventDefault();
    later().then((script) => script.sendFeedback(form), reportError);
  });
}

/** Loads the scripts of third-party services, if the site has any. */
export function startIntegrations(): void {
  if (pageData().integrations) later().then((script) => script.startIntegrations(), reportError);
}

/**
 * Offers to ask about a text that the reader selects in the article. Touch screens have their own
 * selection menu.
 */
export function startSelectionAsk(): void {
  if (!matchMedia('(hover: hover)').matches) return;
  const first = new AbortController();
  const consider = (): void => {
    if (getSelection()?.isCollapsed !== false) return;
    first.abort();
    later().then((script) => script.startSelectionAsk(), reportError);
  };
  document.addEventListener('pointerup', consider, first);
  document.addEventListener('keyup', consider, first);
}
