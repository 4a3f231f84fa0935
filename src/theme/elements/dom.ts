/** Creates an element with a class and children; text never becomes markup. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className = '',
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

/** Creates a button that submits no form. */
export function button(className: string, onClick: () => void, ...children: (Node | string)[]): HTMLButtonElement {
  const made = make('button', className, ...children);
  made.type = 'button';
  made.addEventListener('click', onClick);
  return made;
}

/** Handles clicks on, and in, the elements that match a selector, also those of later pages. */
export function onClick(selector: string, act: (found: HTMLElement, event: MouseEvent) => void): void {
  document.addEventListener('click', (event) => {
    const found = (event.target as Element).closest<HTMLElement>(selector);
    if (found) act(found, event);
  });
}

/** Returns whether it is a plain click: this window, the main button, no modifier. */
export function isPlainClick(event: Pick<MouseEvent, 'button' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'>): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}

/** Loads a script by its tag, which also works from disk, unlike `fetch`. */
export function loadScript(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = make('script');
    script.src = address;
    script.onload = () => {
      script.remove();
      resolve();
    };
    script.onerror = () => reject(new Error(`The script ${address} could not be loaded.`));
    document.head.append(script);
  });
}

const loading = new Map<string, Promise<void>>();

/** Loads a script; callers at the same time share one load. */
export function loadShared(address: string): Promise<void> {
  const loaded = loading.get(address) ?? loadScript(address).finally(() => loading.delete(address));
  loading.set(address, loaded);
  return loaded;
}

let region: HTMLElement | undefined;

/** Announces a short text to assistive technology without moving the focus. */
export function announce(text: string): void {
  if (!region) {
    region = make('div', 'd-vh');
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
