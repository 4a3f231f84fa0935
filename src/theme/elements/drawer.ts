function isDrawer(target: EventTarget | null): target is HTMLElement {
  return target instanceof HTMLElement && target.id === 'mobile-nav';
}

function setInert(inert: boolean): void {
  for (const element of document.querySelectorAll<HTMLElement>('#navbar, #banner, .d-body, .d-skip')) element.inert = inert;
}

/**
 * The drawer is a popover: opening, closing by Escape and restoring focus are built in. This makes the page behind it inert while
 * it is open, and closes it when the window becomes wide enough for the column.
 */
export function startDrawer(): void {
  // Before it closes, because closing restores the focus, which fails on inert elements.
  document.addEventListener(
    'beforetoggle',
    (event) => {
      if (isDrawer(event.target) && (event as ToggleEvent).newState === 'closed') setInert(false);
    },
    true,
  );
  document.addEventListener(
    'toggle',
    (event) => {
      const drawer = event.target;
      if (!isDrawer(drawer) || (event as ToggleEvent).newState !== 'open') return;
      setInert(true);
      drawer.querySelector<HTMLElement>('[popovertarget]')?.focus();
      drawer.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'center' });
    },
    true,
  );
  matchMedia('(width >= 64rem)').addEventListener('change', (change) => {
    const drawer = document.getElementById('mobile-nav');
    if (change.matches && drawer?.matches(':popover-open')) drawer.hidePopover();
  });
}

/** Choosing a heading in the list of a small screen closes that list. */
export function startTocPopover(): void {
  document.addEventListener('click', (event) => {
    const list = (event.target as Element).closest('a')?.closest<HTMLElement>('#table-of-contents');
    if (list?.matches(':popover-open')) list.hidePopover();
  });
}
