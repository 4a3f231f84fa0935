import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { RegexEngine } from 'shiki/core';
import { createOnigurumaEngine } from 'shiki/engine/oniguruma';

/** Node.js has it, but its types do not. */
declare const WebAssembly: {
  instantiate(binary: Uint8Array, imports: unknown): Promise<Record<string, never>>;
};

/**
 * Opens the regular expressions of grammars and themes, which a thread compiles once. They are read
 * from their file: the module `shiki/wasm`, which has them as a text, takes twice as long to load,
 * and 12 MB, because it uses the HTTP client of Node.js.
 */
export function openOniguruma(): Promise<RegexEngine> {
  return createOnigurumaEngine({
    instantiator: async (imports) =>
      WebAssembly.instantiate(
        await readFile(fileURLToPath(import.meta.resolve('shiki/onig.wasm'))),
        imports,
      ),
  });
}
