import { similarAnchor } from '@docent/format/content/page/page-anchors.ts';
import { placeNamed } from '../dom.ts';
import { decodedPart } from '../page-data.ts';

/** Returns the element that the fragment of the URL names, also as other platforms write it. */
export function targetOfUrl(): HTMLElement | null {
  const id = decodedPart(location.hash.slice(1));
  return id === '' ? null : (placeNamed(id) ?? similarPlace(id));
}

function similarPlace(id: string): HTMLElement | null {
  const ids = Array.from(document.querySelectorAll('#content [id]'), (element) => element.id);
  const similar = similarAnchor(ids, id);
  return similar === undefined ? null : document.getElementById(similar);
}

/**
 * Focuses that element: a browser that goes to a heading leaves the focus on the body, and a screen
 * reader with it.
 */
export function focusTarget(): void {
  const target = targetOfUrl();
  if (!target) return;
  if (target.tabIndex < 0) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}
