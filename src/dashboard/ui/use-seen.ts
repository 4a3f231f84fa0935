import { type RefCallback, useCallback, useState } from 'react';

/** Distance in pixels at which content is about to be seen. */
const NEAR = 200;

/**
 * Whether an element has been in view, or close to it; a long page requests what stands further down only then.
 * @returns the ref of the element, and whether it has been seen
 */
export function useSeen(): [ref: RefCallback<Element>, isSeen: boolean] {
  const [isSeen, setSeen] = useState(false);
  const ref = useCallback((element: Element | null) => {
    if (!element) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true),
      { rootMargin: `${NEAR}px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, isSeen];
}
