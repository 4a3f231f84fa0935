import { requestEarly } from './api/early-answer.ts';
import { showTheme } from './ui/theme.ts';

/** Milliseconds after `load` at which the scripts run at the latest. */
const MAX_PAINT_WAIT_MS = 500;

// A script of its own, which runs before the first paint.
showTheme();
startAfterFirstPaint();
const { org, domain } = (document.currentScript as HTMLScriptElement).dataset;
if (org !== undefined) requestEarly(org, domain);

/**
 * Runs the preloaded scripts of the page once it has been painted in its state without data. Each
 * runs in its own task.
 */
function startAfterFirstPaint(): void {
  let isStarted = false;
  const start = () => {
    if (isStarted) return;
    isStarted = true;
    for (const { href } of document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload]')) {
      const script = document.createElement('script');
      script.type = 'module';
      script.src = href;
      document.head.append(script);
    }
  };
  new PerformanceObserver(start).observe({ type: 'paint', buffered: true });
  // A tab in the background is not painted, and no browser has to report a paint.
  addEventListener('load', () => setTimeout(start, document.hidden ? 0 : MAX_PAINT_WAIT_MS));
}
