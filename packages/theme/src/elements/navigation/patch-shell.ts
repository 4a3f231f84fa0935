import { MAIN } from './shell-copy.ts';

/*
 * Updates the shell of a page (everything but the article) to the next page by changing only what
 * the server wrote differently. Compares three trees: the server's previous output, its new output,
 * and the live document, in which the reader has opened groups and a site's own script may have
 * added something: both stay.
 */

/** The list of pages: its groups stay open, and a different list replaces it. */
const PAGE_LIST = 'navigation-items';

/**
 * The file with the whole of a list of which pages have only a part, and whether the live list has
 * it.
 */
const menuOf = (list: Node): string | undefined => (list as HTMLElement).dataset.menu;
const isWhole = (list: HTMLElement): boolean => 'whole' in list.dataset;

function sameKind(a: Node, b: Node): boolean {
  return a.nodeName === b.nodeName && (!(a instanceof Element) || a.id === (b as Element).id);
}

function sameRole(a: Node, b: Node): boolean {
  return (
    sameKind(a, b) &&
    (!(a instanceof Element) || a.getAttribute('class') === (b as Element).getAttribute('class'))
  );
}

type Same = (a: Node, b: Node) => boolean;

/**
 * Matches each node of `wanted` with the first one of `nodes` after the last match that is equal by
 * the strictest possible rule.
 */
function inOrder<N extends Node>(
  targets: readonly Node[],
  nodes: readonly N[],
  ...rules: readonly Same[]
): (N | undefined)[] {
  let from = 0;
  return targets.map((node) => {
    for (const same of rules) {
      for (let at = from; at < nodes.length; at++) {
        if (!same(node, nodes[at] as N)) continue;
        from = at + 1;
        return nodes[at];
      }
    }
    return undefined;
  });
}

function pages(list: Element): string {
  return [...list.querySelectorAll('a')]
    .map((link) => `${link.getAttribute('href')} ${link.textContent}`)
    .join('\n');
}

/**
 * Updates attributes that the server wrote differently. Does not close a group that the reader has
 * open.
 */
export function patchAttributes(live: Element, before: Element, after: Element): void {
  for (const { name, value } of after.attributes)
    if (before.getAttribute(name) !== value) live.setAttribute(name, value);
  for (const { name } of before.attributes) {
    if (after.hasAttribute(name)) continue;
    if (name === 'open' && live.closest(`#${PAGE_LIST}`)) continue;
    live.removeAttribute(name);
  }
}

function patchChildren(live: Element, before: Element, after: Element): void {
  const oldNodes: Node[] = [...before.childNodes];
  const newNodes: Node[] = [...after.childNodes];
  const liveNodes = inOrder(oldNodes, [...live.childNodes], sameRole, sameKind);
  const liveOf = new Map(oldNodes.map((node, index) => [node, liveNodes[index]]));
  const same = oldNodes.length === newNodes.length ? sameKind : sameRole;
  const matches = inOrder(newNodes, oldNodes, same);
  const taken = new Set(matches);
  for (const node of oldNodes) if (!taken.has(node)) liveOf.get(node)?.remove();
  let last: Node | null = null;
  for (const [index, node] of newNodes.entries()) {
    const old = matches[index];
    const current = old && liveOf.get(old);
    if (old && current) {
      last = patch(current, old, node);
      continue;
    }
    const added = document.importNode(node, true);
    live.insertBefore(added, last ? last.nextSibling : live.firstChild);
    last = added;
  }
}

/**
 * Patches `live` with the differences between `before` and `after`.
 * @returns the resulting node
 */
export function patch(live: ChildNode, before: Node, after: Node): ChildNode {
  if (before.isEqualNode(after)) return live;
  if (!(live instanceof Element) || !(before instanceof Element) || !(after instanceof Element)) {
    live.nodeValue = after.nodeValue;
    return live;
  }
  const isList = after.id === PAGE_LIST && live instanceof HTMLElement;
  // `whole-menu.ts` marks the current page.
  if (isList && isWhole(live) && menuOf(before) === menuOf(after)) return live;
  const isOtherList = isList && (isWhole(live) || pages(before) !== pages(after));
  if (after.matches(MAIN) || isOtherList) {
    const whole = document.importNode(after, true);
    live.replaceWith(whole);
    return whole;
  }
  patchAttributes(live, before, after);
  patchChildren(live, before, after);
  return live;
}
