const DELAY_MS = 150;

/** Shows a thin line at the top if the next page takes longer than a moment. Returns a function that removes it. */
export function startProgressLine(): () => void {
  let line: HTMLElement | undefined;
  const timer = setTimeout(() => {
    line = document.createElement('div');
    line.className = 'd-progress';
    line.setAttribute('aria-hidden', 'true');
    document.body.append(line);
  }, DELAY_MS);
  return () => {
    clearTimeout(timer);
    line?.remove();
  };
}
