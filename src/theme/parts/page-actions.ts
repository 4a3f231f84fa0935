import { emptyHtml, type Html, html, trustedHtml } from '../../core/html.ts';
import type { Frame } from '../frame.ts';
import type { PageView } from '../page-view.ts';
import { actionsDisplay, type PageAction, pageActionsOf } from './contextual-options.ts';

/** The tag and contents of an action: a link works without scripts, a button is hidden without them. */
function control(action: PageAction, className: string, content: Html): Html {
  if (action.href !== undefined)
    return html`<a class="${className}" href="${trustedHtml(action.href)}"${action.attributes}>${content}</a>`;
  return html`<button type="button" class="${className} d-needs-js"${action.attributes}>${content}</button>`;
}

function menuItem(action: PageAction): Html {
  const text = action.text ? html`<span class="d-menu-text">${action.text}</span>` : emptyHtml;
  const label = html`<span class="d-menu-label"><span data-action-label>${action.label}</span>${text}</span>`;
  const needsScripts = action.href === undefined ? trustedHtml(' class="d-needs-js"') : emptyHtml;
  return html`<li${needsScripts}>${control(action, 'd-menu-item', html`${action.icon}${label}`)}</li>`;
}

/** The page's actions: the first one as a button, all of them in the menu beside it. */
function splitButton(frame: Frame, actions: readonly PageAction[]): Html {
  const [first] = actions;
  if (!first) return emptyHtml;
  const main = control(first, 'd-button d-button-small', html`${first.icon}<span data-action-label>${first.label}</span>`);
  if (actions.length === 1) return main;
  return html`${main}<details class="d-switch d-switch-more" data-menu="actions"><summary class="d-button d-button-small" id="page-context-menu-button" aria-label="${frame.locale.messages.moreActions}"></summary><ul class="d-menu d-menu-end d-menu-wide">${actions.map(menuItem)}</ul></details>`;
}

/** The page menu beside its title. If the settings move it below the headings, it is only shown here on small screens. */
export function pageActions(frame: Frame, view: PageView): Html {
  const buttons = splitButton(frame, pageActionsOf(frame, view));
  if (!buttons.value) return emptyHtml;
  return html`<div class="d-actions" id="page-context-menu" data-display="${actionsDisplay(view)}">${buttons}</div>`;
}

/** The page menu as a list below the headings; nothing if the settings put it beside the title. */
export function railActions(frame: Frame, view: PageView): Html {
  if (actionsDisplay(view) !== 'toc') return emptyHtml;
  const actions = pageActionsOf(frame, view);
  if (actions.length === 0) return emptyHtml;
  const items = actions.map((action) => {
    const label = html`${action.icon}<span data-action-label>${action.label}</span>`;
    return html`<li>${control(action, 'd-rail-action', label)}</li>`;
  });
  return html`<ul class="d-rail-actions" aria-label="${frame.locale.messages.moreActions}">${items}</ul>`;
}
