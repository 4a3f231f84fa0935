/** The region that is always replaced entirely. */
export const MAIN = 'main';

/** Returns a copy of a tree without the article. */
export function copyShell(node: Node): Node {
  if (!(node instanceof Element) || !(node.matches(MAIN) || node.querySelector(MAIN)))
    return node.cloneNode(true);
  const copy = node.cloneNode(false);
  if (!node.matches(MAIN)) for (const child of node.childNodes) copy.appendChild(copyShell(child));
  return copy;
}

/** Set by the script that runs before the first paint, and by the reader's choices. */
const CLIENT_ATTRIBUTES = ['class', 'style', 'data-appearance', 'data-banner-dismissed'];

/** Returns the document element with only the attributes from the server. */
export function copyRoot(root: Element): Element {
  const copy = root.cloneNode(false) as Element;
  for (const name of CLIENT_ATTRIBUTES) copy.removeAttribute(name);
  return copy;
}
