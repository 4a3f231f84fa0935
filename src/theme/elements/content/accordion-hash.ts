/** Opening an accordion adds its id to the URL, so that the reader can share it; closing removes it. */
export function startAccordionHash(): void {
  document.addEventListener('click', (event) => {
    const summary = (event.target as Element).closest?.('summary');
    const accordion = summary?.parentElement;
    if (!(accordion instanceof HTMLDetailsElement) || !accordion.classList.contains('d-accordion') || accordion.id === '') return;
    if ((event.target as Element).closest('a, button')) return;
    const hash = `#${encodeURIComponent(accordion.id)}`;
    const opens = !accordion.open;
    if (opens) history.replaceState(history.state, '', hash);
    else if (location.hash === hash) history.replaceState(history.state, '', location.pathname + location.search);
  });
}
