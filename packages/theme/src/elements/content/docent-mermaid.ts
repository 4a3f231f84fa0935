import type { Diagrams } from '../diagrams/diagrams.ts';
import { loadShared } from '../dom.ts';
import { pageData } from '../page-data.ts';

declare global {
  var __docentDiagrams: Diagrams | undefined;
}

/** How far ahead of the viewport a diagram is drawn. */
const AHEAD = '800px';

async function draw(element: DocentMermaid): Promise<void> {
  const { diagrams } = pageData();
  if (!diagrams) return;
  try {
    if (!globalThis.__docentDiagrams) await loadShared(diagrams.script);
    await globalThis.__docentDiagrams?.draw(element, diagrams);
  } catch (error) {
    // The source stays readable; the error goes to the console.
    reportError(error);
  }
}

const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      void draw(target as DocentMermaid);
    }
  },
  { rootMargin: AHEAD },
);

/**
 * A diagram: its source until it is near the viewport, then drawn by a script that only such pages
 * load.
 */
export class DocentMermaid extends HTMLElement {
  connectedCallback(): void {
    if (!this.hasAttribute('data-drawn')) observer.observe(this);
  }

  disconnectedCallback(): void {
    observer.unobserve(this);
  }
}
