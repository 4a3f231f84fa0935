import { errorMessage } from '@docent/format/error-message.ts';
import type { Mermaid } from 'mermaid';
import type { ClientData } from '../../parts/client-data.ts';
import type { DiagramMessages } from '../../translations/translations.ts';
import { loadScript, make } from '../dom.ts';
import { pageData } from '../page-data.ts';
import { authoredBackground, diagramConfig } from './diagram-theme.ts';
import { DiagramView } from './diagram-view.ts';

declare global {
  var mermaid: Mermaid | undefined;
}

type DiagramData = NonNullable<ClientData['diagrams']>;

/** The API of this script for `docent-mermaid`. */
export interface Diagrams {
  draw(element: HTMLElement, data: DiagramData): Promise<void>;
}

const root = document.documentElement;
const views = new WeakMap<HTMLElement, DiagramView>();
/** Our own library, once a diagram needs it: a site's own script may have set the global. */
let library: Mermaid | undefined;
let drawn = 0;

async function load(address: string): Promise<Mermaid> {
  await loadScript(address);
  await document.fonts.ready;
  if (!globalThis.mermaid) throw new Error('The script that draws diagrams is empty.');
  return globalThis.mermaid;
}

function sourceOf(element: HTMLElement): string {
  return element.querySelector('pre')?.textContent ?? '';
}

/** Drawings are serialized: the settings of the library are global. */
let last: Promise<void> = Promise.resolve();

function draw(element: HTMLElement, data: DiagramData): Promise<void> {
  const done = last.then(() => drawNow(element, data));
  last = done.catch(() => {});
  return done;
}

async function drawNow(
  element: HTMLElement,
  { library: address, texts }: DiagramData,
): Promise<void> {
  if (!element.isConnected) return;
  library ??= await load(address);
  const source = sourceOf(element);
  const isDark = root.classList.contains('dark');
  try {
    library.initialize(diagramConfig(source, isDark));
    const { svg } = await library.render(`d-diagram-${++drawn}`, source);
    show(element, svg, isDark, texts);
  } catch (error) {
    fail(element, `${texts.failed}: ${errorMessage(error)}`);
  }
}

function show(element: HTMLElement, svg: string, isDark: boolean, texts: DiagramMessages): void {
  const source = sourceOf(element);
  let view = views.get(element);
  if (!view) {
    view = new DiagramView(element, texts);
    views.set(element, view);
  }
  view.show(svg);
  element.querySelector('.d-diagram-fault')?.remove();
  element.dataset.plate = authoredBackground(source) ?? (isDark ? 'dark' : 'light');
  element.dataset.drawn = isDark ? 'dark' : 'light';
}

/** Shows the author's error in place of the drawing, above the source. */
function fail(element: HTMLElement, message: string): void {
  let note = element.querySelector('.d-diagram-fault');
  if (!note) {
    note = make('p', 'd-diagram-fault');
    note.setAttribute('role', 'note');
    element.prepend(note);
  }
  note.textContent = message;
  element.dataset.drawn = 'failed';
}

/** Diagrams follow the page's appearance. */
new MutationObserver(() => {
  const { diagrams } = pageData();
  const targetMode = root.classList.contains('dark') ? 'dark' : 'light';
  for (const element of document.querySelectorAll<HTMLElement>('docent-mermaid[data-drawn]')) {
    const { drawn: mode } = element.dataset;
    if (
      diagrams &&
      mode !== 'failed' &&
      mode !== targetMode &&
      !authoredBackground(sourceOf(element))
    )
      void draw(element, diagrams);
  }
}).observe(root, { attributeFilter: ['class'] });

globalThis.__docentDiagrams ??= { draw };
