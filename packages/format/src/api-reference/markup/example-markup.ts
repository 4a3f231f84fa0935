import { type TabView, tabList, tabPanels } from '../../content/components/tabs.ts';
import type { PageRenderer } from '../../content/page/page-renderer.ts';
import { type Html, html } from '../../html.ts';
import type { CodeSample } from '../samples/code-samples.ts';

/**
 * Adds a code frame with a tab for each example to the right rail; nothing without examples. Like
 * the `CodeGroup` component, but built from text instead of content nodes.
 */
export function addExamples(
  page: PageRenderer,
  samples: readonly CodeSample[],
  kind: 'request-example' | 'response-example',
): void {
  const [only] = samples;
  if (only)
    page.addAside(
      html`<div class="d-example" data-component="${kind}">${exampleFrame(page, only, samples)}</div>`,
    );
}

function exampleFrame(page: PageRenderer, only: CodeSample, samples: readonly CodeSample[]): Html {
  if (samples.length === 1)
    return html`${player(only)}${page.codeBlock({ language: only.language, meta: titleMeta(only.label), code: only.code })}`;
  page.need('docent-tabs');
  const views = distinctLabels(samples).map((sample): TabView => {
    const code = page.codeBlock({
      language: sample.language,
      meta: titleMeta(sample.label),
      code: sample.code,
      inGroup: true,
    });
    return {
      title: html`${sample.label}`,
      label: sample.label,
      panel: html`${player(sample)}${code}`,
    };
  });
  const bar = html`<div class="d-src-bar" data-component-part="code-group-tab-bar">${tabList(views, 0)}</div>`;
  return html`<docent-tabs class="d-code-group" data-component="code-group">${bar}${tabPanels(views, 0, false)}</docent-tabs>`;
}

/** A player for an example of an audio file, above its URL. */
function player({ audio, label }: CodeSample): Html | undefined {
  if (audio === undefined) return undefined;
  return html`<audio class="d-example-audio" controls preload="none" aria-label="${label}" src="${audio}"></audio>`;
}

function titleMeta(label: string): string {
  return `title="${label.replace(/["\n\r]/g, "'").slice(0, 80)}"`;
}

/** Two tabs of the same name are ambiguous: the second gets a number. */
function distinctLabels(samples: readonly CodeSample[]): CodeSample[] {
  const counts = new Map<string, number>();
  return samples.map((sample) => {
    const count = (counts.get(sample.label) ?? 0) + 1;
    counts.set(sample.label, count);
    return count === 1 ? sample : { ...sample, label: `${sample.label} (${count})` };
  });
}
