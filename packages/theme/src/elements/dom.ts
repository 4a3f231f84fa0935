/** Creates an element with a class and children; text never becomes markup. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className = '',
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

/** Creates a button that submits no form. */
export function button(
  className: string,
  onClick: () => void,
  ...children: (Node | string)[]
): HTMLButtonElement {
  const element = make('button', className, ...children);
  element.type = 'button';
  element.addEventListener('click', onClick);
  return element;
}

/** Handles clicks on, and in, the elements that match a selector, also those of later pages. */
export function onClick(
  selector: string,
  act: (element: HTMLElement, event: MouseEvent) => void,
): void {
  document.addEventListener('click', (event) => {
    const element = (event.target as Element).closest<HTMLElement>(selector);
    if (element) act(element, event);
  });
}

/** Returns whether it is a plain click: this window, the main button, no modifier. */
export function isPlainClick(
  event: Pick<MouseEvent, 'button' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'>,
): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}

/**
 * Returns the next of the items, the first after the last, whose text starts with the letter of a
 * key.
 */
export function itemOfLetter(
  key: string,
  items: readonly HTMLElement[],
  at: number,
): HTMLElement | undefined {
  if (key.length !== 1 || key === ' ') return undefined;
  const after = [...items.slice(at + 1), ...items.slice(0, at)];
  return after.find((item) => item.textContent.trim().toLowerCase().startsWith(key.toLowerCase()));
}

/** Adds a style sheet to the document, also under a policy that forbids inline ones. */
export function addStyles(text: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets.push(sheet);
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

const GAP_PX = 8;

/**
 * Returns where a box goes beside a place in the window: on the preferred side if there is room,
 * otherwise above or below; never outside the window.
 * @param isAligned whether it begins where the place begins, instead of being centered
 */
export function placeBeside(
  box: HTMLElement,
  at: DOMRect,
  side = 'top',
  isAligned = false,
): { left: number; top: number } {
  const { offsetWidth: width, offsetHeight: height } = box;
  const beside = side === 'left' ? at.left - width - GAP_PX : at.right + GAP_PX;
  if (
    (side === 'left' || side === 'right') &&
    beside >= GAP_PX &&
    beside + width + GAP_PX <= innerWidth
  )
    return { left: beside, top: at.top + (at.height - height) / 2 };
  const above = at.top - height - GAP_PX;
  const below = at.bottom + GAP_PX;
  const isBelow = above < 0 || (side === 'bottom' && below + height <= innerHeight);
  const left = isAligned ? at.left : at.left + (at.width - width) / 2;
  return {
    left: Math.max(GAP_PX, Math.min(left, innerWidth - width - GAP_PX)),
    top: isBelow ? below : above,
  };
}

let region: HTMLElement | undefined;

/** Announces a short text to assistive technology without moving the focus. */
export function announce(text: string): void {
  if (!region) {
    region = make('div', 'd-vh');
    region.setAttribute('role', 'status');
    document.body.append(region);
  }
  announceIn(region, text);
}

/**
 * Announces a text with a live region of its own, for a dialog that makes the rest of the page
 * inert.
 */
export function announceIn(region: HTMLElement, text: string): void {
  region.textContent = '';
  // A region that was just created or emptied is only announced when its text changes later.
  setTimeout(() => {
    region.textContent = text;
  }, 50);
}

/**
 * Returns the place of the page that a link names. A heading may have the id of a part of the
 * layout ("Sidebar"), and is meant then.
 */
export function placeNamed(id: string): HTMLElement | null {
  return (
    document.querySelector<HTMLElement>(`#content [id="${CSS.escape(id)}"]`) ??
    document.getElementById(id)
  );
}
