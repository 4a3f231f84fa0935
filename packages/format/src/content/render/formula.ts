import type { KatexOptions } from 'katex';
import { LRUCache } from 'lru-cache';
import { escapeHtml } from '../../html.ts';

/** A formula as HTML and MathML; `problem` explains why one is shown as its source instead. */
export interface RenderedFormula {
  html: string;
  problem?: string;
}

/** Renders formulas: LaTeX to HTML. Never throws. */
export type FormulaRenderer = (tex: string, display: boolean) => RenderedFormula;

const MAX_LENGTH = 8_000;
/** Approximate maximum of tokens that the macros of one formula may produce. */
const MAX_TOKENS = 100_000;
const MAX_EXPANSIONS = 1_000;
const CACHED_LENGTH = 500_000;

const DEFINITION = /\\(?:def|gdef|newcommand|renewcommand|providecommand)(?![A-Za-z])/;
/** These create macros from expanded macros, which can double with every line. */
const UNBOUNDED = /\\(?:edef|xdef)(?![A-Za-z])/;
/** With parameters, these add uses of a parameter that cannot be counted statically. */
const UNCOUNTABLE = /\\(?:let|futurelet|expandafter|noexpand)(?![A-Za-z])/;

let loading: Promise<FormulaRenderer> | undefined;

/** Loads the renderer once per thread; most sites have no formula and never load it. */
export function loadFormulaRenderer(): Promise<FormulaRenderer> {
  loading ??= import('katex').then(({ default: katex }) =>
    cached((tex, display) => draw(katex.renderToString, tex, display)),
  );
  return loading;
}

/** Formulas repeat the same symbols. */
function cached(render: FormulaRenderer): FormulaRenderer {
  const cache = new LRUCache<string, RenderedFormula>({
    maxSize: CACHED_LENGTH,
    sizeCalculation: ({ html }) => html.length,
  });
  return (tex, display) => {
    const key = `${display ? '$$' : '$'}${tex}`;
    const formula = cache.get(key) ?? render(tex, display);
    cache.set(key, formula);
    return formula;
  };
}

function draw(
  renderToString: (tex: string, options: KatexOptions) => string,
  tex: string,
  display: boolean,
): RenderedFormula {
  const maxExpand = expansionLimit(tex);
  if (maxExpand === 0)
    return fault(tex, display, 'it is too long, or its macros expand without limit');
  try {
    const options: KatexOptions = {
      displayMode: display,
      output: 'htmlAndMathml',
      strict: false,
      trust: false,
      maxExpand,
      maxSize: 100,
      macros: {},
    };
    return { html: renderToString(tex, options) };
  } catch (error) {
    return fault(tex, display, reasonOf(error));
  }
}

/**
 * Returns how many macro expansions a formula may use, so that the output stays small: a macro that
 * repeats its argument multiplies the text with every expansion. 0 if there is no such number.
 */
function expansionLimit(tex: string): number {
  if (tex.length > MAX_LENGTH || UNBOUNDED.test(tex)) return 0;
  if (!DEFINITION.test(tex)) return MAX_EXPANSIONS;
  const parameterUses = tex.split('#').length - 1;
  if (parameterUses > 0 && UNCOUNTABLE.test(tex)) return 0;
  const growth =
    parameterUses < 2
      ? MAX_TOKENS / tex.length
      : Math.log(MAX_TOKENS / tex.length) / Math.log(parameterUses);
  return Math.max(0, Math.min(MAX_EXPANSIONS, Math.floor(growth)));
}

function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return 'it is nested too deeply';
  const message = error instanceof Error ? error.message : '';
  // The library's message contains a part of the formula with marks below it, which needs a
  // fixed-width font.
  return (
    message.replace(/^KaTeX parse error:\s*/, '').replace(/[\u0300-\u036f]/g, '') ||
    'it cannot be read'
  );
}

function fault(tex: string, display: boolean, problem: string): RenderedFormula {
  const tag = display ? 'div' : 'span';
  const html = `<${tag} class="d-formula-fault" role="note"><code>${escapeHtml(tex)}</code> <span>${escapeHtml(`Formula: ${problem}`)}</span></${tag}>`;
  return { html, problem };
}
