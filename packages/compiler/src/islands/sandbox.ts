import { fileURLToPath } from 'node:url';
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import { moduleUrl } from '../process/own-modules.ts';
import { runBundler } from './bundler.ts';

/** CPU time of one component, and of the module code of one page. */
export const COMPONENT_CPU_MS = 50;
const MAX_MEMORY_BYTES = 64 * 1024 * 1024;
/** A higher value would overflow the host's stack before the engine's. */
const MAX_STACK_BYTES = 256 * 1024;
/** Maximum characters of JSON that one component renders. */
const MAX_OUTPUT_LENGTH = 1_000_000;

/** Why an author's code returned nothing. */
export class SandboxError extends Error {
  /** It ran out of time or memory, so it is unknown whether it would have finished. */
  readonly isLimit: boolean;
  constructor(message: string, isLimit: boolean) {
    super(message);
    this.name = 'SandboxError';
    this.isLimit = isLimit;
  }
}

let engine: Promise<QuickJSWASMModule> | undefined;
let firstRender: Promise<string> | undefined;

async function bundleFirstRender(): Promise<string> {
  const { outputFiles } = await runBundler({
    entryPoints: [fileURLToPath(moduleUrl('./first-render/main.ts', import.meta.url))],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    target: 'es2022',
    logLevel: 'silent',
    tsconfigRaw: '{}',
  });
  return outputFiles[0]?.text ?? '';
}

/**
 * Returns the CPU time of this thread, in milliseconds; wall clock time if the platform cannot
 * measure it.
 */
export function cpuMs(): number {
  const used = process.threadCpuUsage?.();
  return used ? (used.user + used.system) / 1000 : performance.now();
}

/**
 * A JavaScript engine inside WebAssembly with only a stand-in for React and one function of the
 * build, from text to text: no host object can be reached from it. Used for one page and discarded.
 */
export class Sandbox {
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  #endMs = Number.POSITIVE_INFINITY;
  #isOver = false;

  private constructor(module: QuickJSWASMModule, day: string) {
    this.#runtime = module.newRuntime();
    this.#runtime.setMemoryLimit(MAX_MEMORY_BYTES);
    this.#runtime.setMaxStackSize(MAX_STACK_BYTES);
    this.#runtime.setInterruptHandler(() => {
      this.#isOver ||= cpuMs() > this.#endMs;
      return this.#isOver;
    });
    this.#context = this.#runtime.newContext();
    const context = this.#context;
    // An error of the host is thrown in the sandbox.
    const host = context.newFunction('docentHost', (request) =>
      context.newString(answerSandbox(context.getString(request))),
    );
    context.setProp(context.global, 'docentHost', host);
    host.dispose();
    context
      .newNumber(Date.parse(day))
      .consume((now) => context.setProp(context.global, 'docentNow', now));
  }

  /** @param day what `Date` returns: `2026-11-02` */
  static async open(day: string): Promise<Sandbox> {
    firstRender ??= bundleFirstRender();
    engine ??= newQuickJSWASMModuleFromVariant(import('@jitl/quickjs-wasmfile-release-sync'));
    const [code, module] = await Promise.all([firstRender, engine]);
    const sandbox = new Sandbox(module, day);
    sandbox.#evaluate(code, 'first-render.js', Number.POSITIVE_INFINITY);
    return sandbox;
  }

  /** Gives the code that comes a browser that knows nothing. */
  pretendBrowser(): void {
    this.#evaluate('docentPretendBrowser()', 'first-render.js', COMPONENT_CPU_MS);
  }

  /** Runs the script of a page, which registers its components. Throws a `SandboxError`. */
  load(script: string): void {
    this.#evaluate(script, 'components.js', COMPONENT_CPU_MS);
  }

  /**
   * Returns the JSON that a registered component renders, and the calls inside it. Throws a
   * `SandboxError`.
   * @param inside JSON of those calls, by slot
   * @param limitMs for all of them
   */
  render(name: string, props: string, inside = '[]', limitMs = COMPONENT_CPU_MS): string {
    const context = this.#context;
    return this.#within(limitMs, () => {
      const render = context.getProp(context.global, 'docentRender');
      const args = [context.newString(name), context.newString(props), context.newString(inside)];
      const result = context.callFunction(render, context.undefined, ...args);
      render.dispose();
      for (const arg of args) arg.dispose();
      if (result.error) return this.#fail(result.error);
      const length = context
        .getProp(result.value, 'length')
        .consume((handle) => context.getNumber(handle));
      if (!(length <= MAX_OUTPUT_LENGTH)) {
        result.value.dispose();
        throw new SandboxError('its output is too large', true);
      }
      return result.value.consume((handle) => context.getString(handle));
    });
  }

  /** Frees the memory. What cannot be freed is discarded with the engine. */
  close(): void {
    try {
      this.#context.dispose();
      this.#runtime.dispose();
    } catch {
      engine = undefined;
    }
  }

  #evaluate(code: string, name: string, limitMs: number): void {
    this.#within(limitMs, () => {
      const result = this.#context.evalCode(code, name);
      if (result.error) this.#fail(result.error);
      else result.value.dispose();
    });
  }

  #within<Result>(limitMs: number, run: () => Result): Result {
    this.#isOver = false;
    this.#endMs = cpuMs() + limitMs;
    try {
      return run();
    } catch (error) {
      if (error instanceof SandboxError) throw error;
      // After a host exception the engine's memory is in an unknown state, so the next sandbox gets
      // a new engine.
      engine = undefined;
      throw new SandboxError('it broke the sandbox', true);
    } finally {
      this.#endMs = Number.POSITIVE_INFINITY;
    }
  }

  #fail(error: QuickJSHandle): never {
    if (this.#isOver) {
      error.dispose();
      throw new SandboxError(`it takes more than ${COMPONENT_CPU_MS} ms`, true);
    }
    this.#endMs = cpuMs() + COMPONENT_CPU_MS;
    const message = this.#textOf(error, 'message') ?? this.#textOf(error) ?? 'an error';
    const isLimit = /^(?:out of memory|stack overflow)/i.test(message);
    error.dispose();
    throw new SandboxError(message.replace(/\s+/g, ' ').replace(/\.$/, '').slice(0, 200), isLimit);
  }

  /**
   * Returns the text of an error or its message, only if it is already a string: converting it
   * could run code.
   */
  #textOf(handle: QuickJSHandle, property?: string): string | undefined {
    const context = this.#context;
    const value = property === undefined ? handle.dup() : context.getProp(handle, property);
    return value.consume((valueHandle) =>
      context.typeof(valueHandle) === 'string' ? context.getString(valueHandle) : undefined,
    );
  }
}

const MAX_REQUEST_LENGTH = 10_000;
const METHODS = new Set(['format', 'formatToParts', 'resolvedOptions', 'select', 'of', 'compare']);
const DATE_METHODS = ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'] as const;
const {
  NumberFormat,
  DateTimeFormat,
  PluralRules,
  RelativeTimeFormat,
  ListFormat,
  DisplayNames,
  Collator,
} = Intl;
type Formatter = new (
  locales: unknown,
  options: unknown,
) => Record<string, (...values: unknown[]) => unknown>;
const formatters = {
  NumberFormat,
  DateTimeFormat,
  PluralRules,
  RelativeTimeFormat,
  ListFormat,
  DisplayNames,
  Collator,
};
const FORMATTERS = formatters as unknown as Record<string, Formatter>;
const URL_PARTS = [
  ...([
    'href',
    'origin',
    'protocol',
    'username',
    'password',
    'host',
    'hostname',
    'port',
    'pathname',
    'search',
    'hash',
  ] as const),
];

interface FormatRequest {
  kind: string;
  method: string;
  locales?: unknown;
  options?: object;
  values: unknown;
}

/** Properties are `unknown` because they come from an author's code. */
type UrlRequest = Partial<
  Record<'kind' | 'href' | 'base' | 'part' | 'value' | 'query' | 'pairs', unknown>
>;

/**
 * Formats values for a locale, and reads and changes addresses as the WHATWG URL standard says.
 * Everything about the request comes from an author and is checked here.
 * @param request JSON. A `FormatRequest`: the constructor of `Intl` (or `Date`), its method, and
 *   the values, numbers as text; or a
 *   `UrlRequest`: `{ href, base, part, value }` reads an address, after setting one of its parts, `{ query }` reads a query,
 *   `{ pairs }` writes one.
 * @returns JSON: the formatted value; the parts of the address; the pairs of the query; the query
 * @throws Error for invalid addresses, wrong locales and options (as `Intl` does), and for what the
 *   sandbox does not offer
 */
function answerSandbox(request: string): string {
  if (request.length > MAX_REQUEST_LENGTH) throw new RangeError('the value is too long');
  const parsedRequest = JSON.parse(request);
  return JSON.stringify(
    parsedRequest.kind === undefined
      ? answerUrl(parsedRequest)
      : (formatForLocale(parsedRequest) ?? null),
  );
}

function answerUrl({ href, base, part, value, query, pairs }: UrlRequest): unknown {
  if (query !== undefined) return [...new URLSearchParams(String(query))];
  if (Array.isArray(pairs))
    return new URLSearchParams(
      pairs.map(([name, text]): [string, string] => [String(name), String(text)]),
    ).toString();
  const url = base === undefined ? new URL(String(href)) : new URL(String(href), String(base));
  const set = URL_PARTS.find((name) => name === part);
  if (set && set !== 'origin') url[set] = String(value);
  return Object.fromEntries(URL_PARTS.map((name) => [name, url[name]]));
}

function formatForLocale({
  kind,
  method,
  locales = 'en-US',
  options,
  values,
}: FormatRequest): unknown {
  if (!Array.isArray(values)) throw new TypeError('there is nothing to format');
  const isDate = kind === 'Date' || kind === 'DateTimeFormat';
  const settings = isDate ? { timeZone: 'UTC', ...options } : options;
  const dateMethod = DATE_METHODS.find((name) => name === method);
  if (kind === 'Date' && dateMethod)
    return new Date(Number(values[0]))[dateMethod](locales as string, settings);
  const Formatter = Object.hasOwn(FORMATTERS, kind) ? FORMATTERS[kind] : undefined;
  if (!Formatter || !METHODS.has(method))
    throw new TypeError(`Intl.${kind}.${method} is not available while a site is built`);
  return new Formatter(locales, settings)[method]?.(...(isDate ? values.map(Number) : values));
}
