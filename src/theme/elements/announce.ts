let region: HTMLElement | undefined;

/** Announces a short text to assistive technology without moving the focus. */
export function announce(text: string): void {
  if (!region) {
    region = document.createElement('div');
    region.className = 'd-vh';
    region.setAttribute('role', 'status');
    document.body.append(region);
  }
  region.textContent = '';
  const target = region;
  // A region that was just created or emptied is only announced when its text changes later.
  setTimeout(() => {
    target.textContent = text;
  }, 50);
}
