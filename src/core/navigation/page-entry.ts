/** An entry of `pages` for an operation of an API description. */
export interface OperationEntry {
  /** The description, if the entry names one. */
  spec?: string;
  /** Upper case. */
  method: string;
  route: string;
}

const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE']);

/** Parses `METHOD /path`, `<spec> METHOD /path` and `webhook <name>`; undefined for a plain page. */
export function parseOperationEntry(entry: string): OperationEntry | undefined {
  const words = entry.trim().split(/\s+/);
  for (const [index, word] of words.slice(0, 2).entries()) {
    const method = word.toUpperCase();
    const route = words.slice(index + 1).join(' ');
    const isOperation = METHODS.has(method) ? route.startsWith('/') : method === 'WEBHOOK' && route !== '';
    if (isOperation) return index === 0 ? { method, route } : { spec: words[0] as string, method, route };
  }
  return undefined;
}

/** Returns the page path of an entry: `/guides/start.mdx` and `./guides/start/` are `guides/start`, `/` is `index`. */
export function normalizePagePath(entry: string): string {
  const parts = entry
    .trim()
    .replace(/\.mdx?$/i, '')
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  return parts.length === 0 ? 'index' : parts.join('/');
}
