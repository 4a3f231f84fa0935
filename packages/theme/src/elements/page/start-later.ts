import { onClick } from '../dom.ts';
import { pageData } from '../page-data.ts';
import { pageScript } from '../page-scripts.ts';

const later = () => pageScript('later');

/** Shows or hides the questions that follow a press. */
export function showFeedbackForm(form: HTMLFormElement, isShown: boolean): void {
  const part = form.querySelector<HTMLElement>('.d-feedback-more');
  if (part) part.hidden = !isShown;
}

/** "Was this page helpful?": a press is sent immediately, the reason and the comment on submit. */
export function startPageFeedback(): void {
  onClick('form[data-feedback] [data-helpful]', (button) => {
    const form = button.closest('form') as HTMLFormElement;
    for (const choice of form.querySelectorAll('[data-helpful]'))
      choice.setAttribute('aria-pressed', String(choice === button));
    const reasons = form.querySelector<HTMLFieldSetElement>('fieldset');
    if (reasons) reasons.hidden = button.dataset.helpful === 'true';
    // At once: what moves long after a press would surprise.
    showFeedbackForm(form, true);
    later().then((script) => script.sendFeedback(form, false), reportError);
  });
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (form.dataset.feedback === undefined) return;
    event.preventDefault();
    later().then((script) => script.sendFeedback(form, true), reportError);
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
