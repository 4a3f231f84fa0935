function isDrawer(target: EventTarget | null): target is HTMLElement {
  return target instanceof HTMLElement && target.id === 'mobile-nav';
}

function setInert(inert: boolean): void {
  for (const element of document.querySelectorAll<HTMLElement>('#navbar, #banner, .d-body, .d-skip')) element.inert = inert;
}

/**
 * The drawer is a popover: it opens, closes by Escape and gives focus back on its own. What is added here: the page
 * behind it takes no focus while it is open, and it closes when the window grows wide enough for the column.
 */
export function startDrawer(): void {
  // Before it closes, because focus goes back in closing and can only go to what is not inert.
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

/** A heading chosen in the list of a small screen closes that list. */
export function startTocPopover(): void {
  document.addEventListener('click', (event) => {
    const list = (event.target as Element).closest('a')?.closest<HTMLElement>('#table-of-contents');
    if (list?.matches(':popover-open')) list.hidePopover();
  });
}
