import { folderOf, joinPath } from '../../links.ts';

const EXTENSIONS = ['', '.mdx', '.md', '.jsx', '.tsx', '.js', '.ts', '/index.mdx', '/index.md', '/index.jsx'];

/**
 * Resolves an import to a file of the tree: relative or from the root, with or without its extension.
 * @returns undefined if there is none
 */
export function resolveImport(specifier: string, importer: string, hasFile: (path: string) => boolean): string | undefined {
  const base = joinPath(specifier.startsWith('.') ? folderOf(importer) : '', specifier);
  return EXTENSIONS.map((extension) => base + extension).find(hasFile);
}

/** Resolves the file of a legacy `<Snippet file="x.mdx" />`. */
export function resolveSnippet(name: string, hasFile: (path: string) => boolean): string | undefined {
  const path = joinPath('', name);
  const places = ['_snippets/', 'snippets/', ''].flatMap((folder) =>
    ['', '.mdx', '.md'].map((extension) => folder + path + extension),
  );
  return places.find(hasFile);
}

/** Resolves a component name to a snippet: `<SoftLimit />` is `snippets/soft-limit.mdx`, or similar. */
export function findSnippetNamed(name: string, hasFile: (path: string) => boolean): string | undefined {
  if (!/^[A-Z][A-Za-z\d]*$/.test(name)) return undefined;
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1-$2').replace(/([A-Z])([A-Z][a-z])/g, '$1-$2');
  const kebab = words.toLowerCase();
  const spellings = [kebab, name, name.charAt(0).toLowerCase() + name.slice(1), kebab.replaceAll('-', '_')];
  return ['snippets/', '_snippets/']
    .flatMap((folder) => spellings.flatMap((spelling) => [`${folder}${spelling}.mdx`, `${folder}${spelling}.md`]))
    .find(hasFile);
}
