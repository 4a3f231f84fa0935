/**
 * The drawer is a popover: it opens, closes by Escape and gives focus back on its own. What is added here: the page
 * behind it takes no focus while it is open, and it closes when the window grows wide enough for the column.
 */
export function startDrawer(): void {
  const drawer = document.getElementById('sidebar');
  if (!drawer) return;
  const setInert = (inert: boolean): void => {
    for (const element of document.querySelectorAll<HTMLElement>('#navbar, #banner, .d-body, .d-skip')) element.inert = inert;
  };
  // Before it closes, because focus goes back in closing and can only go to what is not inert.
  drawer.addEventListener('beforetoggle', (event) => {
    if (event.newState === 'closed') setInert(false);
  });
  drawer.addEventListener('toggle', (event) => {
    if (event.newState !== 'open') return;
    setInert(true);
    drawer.querySelector<HTMLElement>('[popovertarget]')?.focus();
    drawer.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'center' });
  });
  matchMedia('(width >= 64rem)').addEventListener('change', (change) => {
    if (change.matches && drawer.matches(':popover-open')) drawer.hidePopover();
  });
}

/** A heading chosen in the list of a small screen closes that list. */
export function startTocPopover(): void {
  const list = document.getElementById('table-of-contents');
  list?.addEventListener('click', (event) => {
    if ((event.target as Element).closest('a') && list.matches(':popover-open')) list.hidePopover();
  });
}
