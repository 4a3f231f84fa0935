import { problemStyles } from './problem-styles.ts';

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

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...content: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.className = className;
  made.append(...content);
  return made;
}

function placeOf({ file, line, column }: Problem): string {
  return [file || 'the site', line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(':');
}

function excerptOf({ excerpt, column }: Problem): HTMLElement | '' {
  if (!excerpt) return '';
  const rows = excerpt.flatMap(({ line, text, marked }) => {
    const row = element(
      'div',
      marked ? 'row marked' : 'row',
      element('span', 'number', String(line)),
      element('span', 'text', text || ' '),
    );
    if (!marked || column === undefined) return [row];
    const caret = `${text.slice(0, column - 1).replace(/[^\t]/g, ' ')}^`;
    return [row, element('div', 'row caret', element('span', 'number', ''), element('span', 'text', caret))];
  });
  const code = element('pre', 'excerpt', ...rows);
  code.tabIndex = 0;
  code.setAttribute('aria-label', 'Affected lines');
  return code;
}

function articleOf(problem: Problem): HTMLElement {
  return element(
    'article',
    'problem',
    element('p', 'place', element('code', '', placeOf(problem)), element('span', 'code', problem.code)),
    element('p', 'message', problem.message),
    excerptOf(problem),
    element('p', 'remedy', problem.remedy),
  );
}

/**
 * Shows errors over the page and warnings in a corner. In a shadow tree, so that its styles and the site's CSS do not affect each
 * other.
 */
export class ProblemView {
  readonly #host = element('docent-problems' as 'div', '');
  readonly #dialog = element('dialog', 'over');
  readonly #notes = element('details', 'notes');
  readonly #connection = element('p', 'connection', 'docent dev is not running');
  #shown = '';
  #patience: number | undefined;

  constructor() {
    const root = this.#host.attachShadow({ mode: 'open' });
    const style = element('style', '', problemStyles);
    this.#dialog.setAttribute('role', 'alertdialog');
    this.#dialog.setAttribute('aria-labelledby', 'title');
    this.#dialog.setAttribute('aria-describedby', 'list');
    this.#dialog.addEventListener('click', (event) => event.target === this.#dialog && this.#dialog.close());
    this.#connection.hidden = true;
    this.#connection.setAttribute('role', 'status');
    this.#notes.hidden = true;
    this.#notes.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.#notes.open = false;
    });
    root.append(style, this.#dialog, element('div', 'corner', this.#connection, this.#notes));
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
    const title = element('h2', 'title', errors.length === 1 ? 'There is an error' : `There are ${errors.length} errors`);
    title.id = 'title';
    const close = element('button', 'close', 'Close ', element('kbd', '', 'Esc'));
    close.type = 'button';
    close.addEventListener('click', () => this.#dialog.close());
    const list = element('div', 'list', ...errors.map(articleOf));
    list.id = 'list';
    this.#dialog.replaceChildren(
      element('header', 'head', title, close),
      list,
      element('p', 'foot', 'Fix and save the file to dismiss this.'),
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
    const summary = element('summary', errorCount > 0 ? 'summary bad' : 'summary', label);
    const items = notes.map((note) =>
      element(
        'li',
        note.severity,
        element('code', '', placeOf(note)),
        element('span', '', note.message),
        element('span', 'remedy', note.remedy),
      ),
    );
    const rest = count > notes.length ? [element('p', 'foot', `and ${count - notes.length} more; docent check lists all`)] : [];
    this.#notes.replaceChildren(summary, element('div', 'panel', element('ul', '', ...items), ...rest));
  }

  /** A page swap may remove the host with the rest of the body. */
  #place(): void {
    const isDark = document.documentElement.classList.contains('dark');
    const isBare = !document.querySelector('main');
    this.#host.dataset.appearance = isBare ? 'system' : isDark ? 'dark' : 'light';
    if (!this.#host.isConnected) document.documentElement.append(this.#host);
  }
}
