import { button, make } from '../dom.ts';

interface Problem {
  severity: 'error' | 'warning' | 'info';
  code: string;
  message: string;
  remedy: string;
  file: string;
  line?: number;
  column?: number;
  excerpt?: { line: number; text: string; marked: boolean }[];
}

interface Problems {
  type: 'problems';
  errors: Problem[];
  notes: Problem[];
  noteCount: number;
}

/** A message of the `docent dev` server. */
export type DevMessage = { type: 'refresh'; version: string } | { type: 'reload' } | Problems;

const PATIENCE_MS = 1500;

function placeOf({ file, line, column }: Problem): string {
  return [file || 'the site', line, line === undefined ? undefined : column]
    .filter((part) => part !== undefined)
    .join(':');
}

function excerptOf({ excerpt, column }: Problem): HTMLElement | '' {
  if (!excerpt) return '';
  const rows = excerpt.flatMap(({ line, text, marked }) => {
    const row = make(
      'div',
      marked ? 'row marked' : 'row',
      make('span', 'number', String(line)),
      make('span', 'text', text || ' '),
    );
    if (!marked || column === undefined) return [row];
    const caret = `${text.slice(0, column - 1).replace(/[^\t]/g, ' ')}^`;
    return [row, make('div', 'row caret', make('span', 'number', ''), make('span', 'text', caret))];
  });
  const code = make('pre', 'excerpt', ...rows);
  code.tabIndex = 0;
  code.setAttribute('aria-label', 'Affected lines');
  return code;
}

function articleOf(problem: Problem): HTMLElement {
  return make(
    'article',
    'problem',
    make('p', 'place', make('code', '', placeOf(problem)), make('span', 'code', problem.code)),
    make('p', 'message', problem.message),
    excerptOf(problem),
    make('p', 'remedy', problem.remedy),
  );
}

/**
 * Shows errors over the page and warnings in a corner. In a shadow tree, so that its styles and the
 * site's CSS do not affect each other.
 */
export class ProblemView {
  readonly #host = make('docent-problems' as 'div', '');
  readonly #dialog = make('dialog', 'over');
  readonly #notes = make('details', 'notes');
  readonly #connection = make('p', 'connection', 'docent dev is not running');
  #shown = '';
  #patience: number | undefined;

  constructor() {
    const root = this.#host.attachShadow({ mode: 'open' });
    const style = make('style', '', problemStyles);
    this.#dialog.setAttribute('role', 'alertdialog');
    this.#dialog.setAttribute('aria-labelledby', 'title');
    this.#dialog.setAttribute('aria-describedby', 'list');
    this.#dialog.addEventListener(
      'click',
      (event) => event.target === this.#dialog && this.#dialog.close(),
    );
    this.#connection.hidden = true;
    this.#connection.setAttribute('role', 'status');
    this.#notes.hidden = true;
    this.#notes.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.#notes.open = false;
    });
    root.append(style, this.#dialog, make('div', 'corner', this.#connection, this.#notes));
  }

  /** Shows the current problems; what the author closed stays closed until the problems change. */
  show({ errors, notes, noteCount }: Problems): void {
    this.#place();
    this.#showNotes(notes, noteCount);
    const text = JSON.stringify(errors);
    if (text === this.#shown) return;
    this.#shown = text;
    if (errors.length === 0) this.#dialog.close();
    else this.#open(errors);
  }

  #open(errors: readonly Problem[]): void {
    const title = make(
      'h2',
      'title',
      errors.length === 1 ? 'There is an error' : `There are ${errors.length} errors`,
    );
    title.id = 'title';
    const close = button('close', () => this.#dialog.close(), 'Close ', make('kbd', '', 'Esc'));
    const list = make('div', 'list', ...errors.map(articleOf));
    list.id = 'list';
    this.#dialog.replaceChildren(
      make('header', 'head', title, close),
      list,
      make('p', 'foot', 'Fix and save the file to dismiss this.'),
    );
    if (!this.#dialog.open) this.#dialog.showModal();
    close.focus();
  }

  /** Reports that the server does not respond, except during a restart. */
  setConnected(isConnected: boolean): void {
    clearTimeout(this.#patience);
    if (isConnected) this.#connection.hidden = true;
    else
      this.#patience = setTimeout(() => {
        this.#place();
        this.#connection.hidden = false;
      }, PATIENCE_MS);
  }

  #showNotes(notes: readonly Problem[], count: number): void {
    this.#notes.hidden = count === 0;
    if (count === 0) return;
    const errorCount = notes.filter((note) => note.severity === 'error').length;
    const label = `${count} ${count === 1 ? 'note' : 'notes'}`;
    const summary = make('summary', errorCount > 0 ? 'summary bad' : 'summary', label);
    const items = notes.map((note) =>
      make(
        'li',
        note.severity,
        make('code', '', placeOf(note)),
        make('span', '', note.message),
        make('span', 'remedy', note.remedy),
      ),
    );
    const rest =
      count > notes.length
        ? [make('p', 'foot', `and ${count - notes.length} more; docent check lists all`)]
        : [];
    this.#notes.replaceChildren(summary, make('div', 'panel', make('ul', '', ...items), ...rest));
  }

  /** A page swap may remove the host with the rest of the body. */
  #place(): void {
    const isDark = document.documentElement.classList.contains('dark');
    const isBare = !document.querySelector('main');
    this.#host.dataset.appearance = isBare ? 'system' : isDark ? 'dark' : 'light';
    if (!this.#host.isConnected) document.documentElement.append(this.#host);
  }
}

/** Style sheet of the shadow tree. It has its own colors, because the page's may be the problem. */
const problemStyles = `
:host {
  --bg: light-dark(#ffffff, #17181c); --fg: light-dark(#1a1c21, #eceef2); --muted: light-dark(#575b66, #a6abb8);
  --line: light-dark(#e3e4e8, #2e3138); --code: light-dark(#f6f7f9, #0f1013); --mark: light-dark(#fdecec, #3a1d1f);
  --bad: light-dark(#c02f2f, #ff8a85); --warn: light-dark(#8f5f00, #eab54d); --ring: light-dark(#2f5bd0, #9db0ff);
  color-scheme: light; position: static; font: 400 14px/1.55 ui-sans-serif, -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif;
}
:host([data-appearance="dark"]) { color-scheme: dark; }
:host([data-appearance="system"]) { color-scheme: light dark; }
* { box-sizing: border-box; margin: 0; }
code, pre, kbd { font-family: ui-monospace, SFMono-Regular, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 13px; }
:focus-visible { outline: 2px solid var(--ring); outline-offset: 2px; }
dialog.over {
  width: min(56rem, calc(100vw - 2rem)); max-height: min(46rem, calc(100dvh - 4rem)); margin: 4rem auto auto; padding: 0; overflow: hidden;
  color: var(--fg); background: var(--bg); border: 1px solid var(--line); border-top: 3px solid var(--bad); border-radius: 12px;
  box-shadow: 0 24px 64px -12px rgb(0 0 0 / 45%);
}
dialog.over[open] { display: flex; flex-direction: column; }
dialog.over::backdrop { background: rgb(12 13 17 / 45%); backdrop-filter: blur(3px); }
.head { display: flex; align-items: center; justify-content: space-between; gap: 1rem; padding: 1rem 1.25rem .75rem; }
.title { font-size: 16px; font-weight: 650; color: var(--bad); }
.close {
  font: inherit; color: var(--muted); background: none; border: 1px solid var(--line); border-radius: 8px; padding: .25rem .6rem; cursor: pointer;
}
.close:hover { color: var(--fg); background: var(--code); }
kbd { font-size: 11px; opacity: .8; }
.list { overflow: auto; padding: 0 1.25rem; overscroll-behavior: contain; }
.problem + .problem { margin-top: 1.25rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
.place { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; color: var(--muted); }
.place code { color: var(--fg); font-weight: 600; overflow-wrap: anywhere; }
.code { font-size: 12px; }
.message { margin-top: .35rem; font-size: 15px; font-weight: 550; overflow-wrap: anywhere; }
.excerpt { margin-top: .75rem; padding: .6rem 0; overflow-x: auto; background: var(--code); border: 1px solid var(--line); border-radius: 8px; line-height: 1.6; tab-size: 2; }
.row { display: flex; min-width: max-content; }
.row.marked { background: var(--mark); }
.number { flex: none; width: 3.5rem; padding-right: .9rem; text-align: right; color: var(--muted); user-select: none; }
.row.marked .number, .caret .text { color: var(--bad); font-weight: 700; }
.text { white-space: pre; padding-right: 1rem; }
.remedy { margin-top: .6rem; color: var(--muted); }
.remedy::before { content: "→ "; }
.foot { padding: .9rem 1.25rem; color: var(--muted); font-size: 13px; }
.corner { position: fixed; inset: auto auto 1rem 1rem; z-index: 2147483000; display: flex; flex-direction: column-reverse; align-items: flex-start; gap: .5rem; max-width: calc(100vw - 2rem); }
.connection, .summary {
  padding: .3rem .7rem; font-size: 13px; color: var(--muted); background: var(--bg); border: 1px solid var(--line); border-radius: 999px;
  box-shadow: 0 2px 10px rgb(0 0 0 / 12%);
}
.summary { cursor: pointer; list-style: none; width: max-content; }
.summary::-webkit-details-marker { display: none; }
.summary::before { content: ""; display: inline-block; width: 8px; height: 8px; margin-right: .45rem; border-radius: 50%; background: var(--warn); }
.summary.bad::before { background: var(--bad); }
.summary:hover { color: var(--fg); }
.notes[open] { display: flex; flex-direction: column-reverse; gap: .5rem; }
.panel {
  width: min(34rem, calc(100vw - 2rem)); max-height: min(26rem, 60dvh); overflow: auto; color: var(--fg); background: var(--bg);
  border: 1px solid var(--line); border-radius: 12px; box-shadow: 0 16px 40px -8px rgb(0 0 0 / 35%);
}
ul { list-style: none; padding: 0; }
li { display: grid; gap: .1rem; padding: .7rem 1rem; }
li + li { border-top: 1px solid var(--line); }
li code { color: var(--warn); overflow-wrap: anywhere; }
li.error code { color: var(--bad); }
li .remedy { margin: 0; font-size: 13px; }
@media print { :host { display: none; } }
`;
