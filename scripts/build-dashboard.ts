import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { compile } from 'tailwindcss';
import { iconNames } from '../packages/dashboard/src/ui/icon-names.ts';
import { hashedName, TARGETS, textFontFaces, textFonts, writeCompressed } from './dist-files.ts';

const source = fileURLToPath(new URL('../packages/dashboard/src', import.meta.url));

/** Where the server serves the build's output. */
const ASSETS_PATH = '/dashboard/assets';

/**
 * Builds the dashboard into `outFolder`, which is emptied first. `assets/` contains its scripts in
 * chunks that are loaded on demand, its style sheet and fonts, each with compressed copies;
 * `pages.json` contains a document for each page, by its address.
 * @param footer script to append to the one that runs first
 */
export async function buildDashboard(outFolder: string, footer = ''): Promise<void> {
  const assets = join(outFolder, 'assets');
  await rm(outFolder, { recursive: true, force: true });
  await mkdir(assets, { recursive: true });
  const fonts = await textFonts();
  const fontName = (name: string) => hashedName(name, fonts[name]!.bytes);
  const [scripts, styles, pages] = await Promise.all([
    bundleScripts(footer),
    makeStyles(fontName),
    renderPages(outFolder),
  ]);
  const styleName = hashedName('app.css', styles);
  const files = new Map(scripts.files).set(styleName, styles);
  for (const [name, { bytes }] of Object.entries(fonts)) files.set(fontName(name), bytes);
  await Promise.all([...files].map(([name, bytes]) => writeCompressed(assets, name, bytes)));
  const documents = pages.map(({ address, html, modules }) => [
    address,
    documentOf(html, address, {
      style: styleName,
      font: fontName('inter-latin.woff2'),
      head: scripts.head,
      scripts: scripts.needed(modules),
    }),
  ]);
  await writeFile(join(outFolder, 'pages.json'), JSON.stringify(Object.fromEntries(documents)));
}

/**
 * Browsers that know it compile all functions of a script while they load it, instead of each on
 * the main thread at its first call.
 */
const COMPILE_EARLY = '//# allFunctionsCalledOnLoad';

const SCRIPT_OPTIONS = {
  bundle: true,
  format: 'esm',
  jsx: 'automatic',
  write: false,
  metafile: true,
  legalComments: 'none',
  define: { 'process.env.NODE_ENV': '"production"' },
} satisfies BuildOptions;

async function bundleScripts(footer: string) {
  const output = {
    outdir: '/out',
    entryNames: '[name]-[hash]',
    target: TARGETS,
    minify: true,
    banner: { js: COMPILE_EARLY },
  };
  const options = { ...SCRIPT_OPTIONS, ...output };
  const app = {
    entryPoints: [join(source, 'main.tsx')],
    chunkNames: 'part-[hash]',
    splitting: true,
    plugins: [iconPlugin, sharedPlugin],
  };
  const [{ outputFiles, metafile }, { outputFiles: heads }] = await Promise.all([
    build({ ...options, ...app }),
    build({
      ...options,
      format: 'iife',
      entryPoints: [join(source, 'head.ts')],
      footer: { js: footer },
    }),
  ]);
  const outputOf = (module: string) =>
    Object.keys(metafile.outputs).find((name) =>
      metafile.outputs[name]?.entryPoint?.endsWith(`/dashboard/src/${module}`),
    )!;
  const files = [...outputFiles, ...heads].map(
    ({ path, contents }) => [basename(path), contents] as const,
  );
  /**
   * The scripts of the application and of modules that are loaded on demand, each after its
   * imports.
   */
  const needed = (modules: readonly string[]) => {
    const names = new Set<string>();
    for (const module of ['main.tsx', ...modules]) addImports(metafile, outputOf(module), names);
    return [...names].map((name) => basename(name));
  };
  return { files, head: basename(heads[0]!.path), needed };
}

function addImports({ outputs }: Metafile, name: string, names: Set<string>): void {
  if (names.has(name)) return;
  for (const { path, kind } of outputs[name]?.imports ?? [])
    if (kind === 'import-statement') addImports({ outputs } as Metafile, path, names);
  names.add(name);
}

/** What `pages.tsx` exports. */
interface Pages {
  addresses: readonly string[];
  renderPage: (address: string) => Promise<PageWithoutData>;
}

/** A page in its state without data, and the modules that it loads on demand. */
interface PageWithoutData {
  html: string;
  modules: readonly string[];
}

/** Every page, by its address. */
async function renderPages(
  folder: string,
): Promise<{ address: string; html: string; modules: readonly string[] }[]> {
  const { outputFiles } = await build({
    ...SCRIPT_OPTIONS,
    entryPoints: [join(source, 'pages.tsx')],
    platform: 'node',
    packages: 'external',
    define: { ...SCRIPT_OPTIONS.define, 'window.location.origin': '"__origin__"' },
    plugins: [iconPlugin, loadedPlugin],
  });
  // Inside the project, where Node.js finds its packages.
  const file = join(folder, 'pages.mjs');
  await writeFile(file, outputFiles[0]!.contents);
  const load = (query: string) => import(`${pathToFileURL(file)}?${query}`) as Promise<Pages>;
  const { addresses } = await load('');
  // A module is evaluated once, so each page gets its own copies.
  const pages = await Promise.all(
    addresses.map(async (address) => ({
      address,
      ...(await (await load(address)).renderPage(address)),
    })),
  );
  await rm(file);
  return pages;
}

/**
 * Makes every module that is loaded on demand import `shared.ts`, so that the build puts what they
 * share into one script.
 */
const sharedPlugin: Plugin = {
  name: 'shared',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
      kind === 'dynamic-import'
        ? { path: join(resolveDir, path), namespace: 'on-demand' }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'on-demand' }, ({ path }) => ({
      resolveDir: source,
      contents: `import './shared.ts'; export * from ${JSON.stringify(path)};`,
    }));
  },
};

/** Records in `docent:loaded` which modules are loaded on demand. */
const loadedPlugin: Plugin = {
  name: 'loaded',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^docent:loaded$/ }, ({ path }) => ({ path, namespace: 'loaded' }));
    onLoad({ filter: /.*/, namespace: 'loaded' }, () => ({
      contents: 'export const loaded = new Set();',
    }));
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
      kind === 'dynamic-import'
        ? { path: join(resolveDir, path), namespace: 'on-demand' }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'on-demand' }, ({ path }) => ({
      resolveDir: source,
      contents: `import { loaded } from 'docent:loaded'; loaded.add(${JSON.stringify(relative(source, path))}); export * from ${JSON.stringify(path)};`,
    }));
  },
};

/** The module `docent:icons`: only the icons that `ui/icon-names.ts` names. */
const iconPlugin: Plugin = {
  name: 'icons',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^docent:icons$/ }, ({ path }) => ({ path, namespace: 'icons' }));
    onLoad({ filter: /.*/, namespace: 'icons' }, async () => {
      const file = fileURLToPath(import.meta.resolve('@iconify-json/lucide/icons.json'));
      const { icons } = JSON.parse(await readFile(file, 'utf8')) as {
        icons: Record<string, { body: string } | undefined>;
      };
      const drawings = iconNames.map((name) => {
        const body = icons[name]?.body;
        if (body === undefined) throw new Error(`The icon set has no "${name}".`);
        return [name, body];
      });
      return { contents: JSON.stringify(Object.fromEntries(drawings)), loader: 'json' };
    });
  },
};

/** Returns every word in the sources that may be a utility class; the engine knows which are. */
const CANDIDATE = /[^<>"'`\s]*[^<>"'`\s:]/g;

async function makeStyles(fontName: (name: string) => string): Promise<Uint8Array> {
  const folder = join(source, 'styles');
  const engine = await compile(await readFile(join(folder, 'app.css'), 'utf8'), {
    base: folder,
    loadStylesheet: async (id, base) => {
      const path = id.startsWith('.') ? join(base, id) : fileURLToPath(import.meta.resolve(id));
      return { path, base: dirname(path), content: await readFile(path, 'utf8') };
    },
  });
  const names = (await readdir(source, { recursive: true })).filter((name) =>
    name.endsWith('.tsx'),
  );
  const texts = await Promise.all(names.map((name) => readFile(join(source, name), 'utf8')));
  const css = engine.build([...new Set(texts.flatMap((text) => text.match(CANDIDATE) ?? []))]);
  const faces = await textFontFaces((name) => `./${fontName(name)}`);
  const { outputFiles } = await build({
    stdin: { contents: `${faces}\n${css}`, loader: 'css' },
    minify: true,
    write: false,
    target: TARGETS,
    legalComments: 'none',
  });
  return outputFiles[0]!.contents;
}

interface DocumentParts {
  style: string;
  font: string;
  head: string;
  scripts: readonly string[];
}

/**
 * Returns the document of a page. Each script is separate, so that the browser evaluates it on
 * arrival, in its own task.
 * @param html the page without data, which is not interactive yet
 * @param page its address, such as `/$org/$domain/keys`
 */
function documentOf(
  html: string,
  page: string,
  { style, font, head, scripts }: DocumentParts,
): string {
  const address = (name: string) => `${ASSETS_PATH}/${name}`;
  const isOfSite = page.startsWith('/$org/$domain');
  const early = `${isOfSite || page === '/$org' ? ' data-org="__org__"' : ''}${isOfSite ? ' data-domain="__domain__"' : ''}`;
  const [title = '<title>Docent</title>'] = /<title>[^<]*<\/title>/.exec(html) ?? [];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${title}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="Publish documentation sites, and manage their assistants, keys and exports.">
<link rel="icon" href="/dashboard/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${address(style)}">
<script src="${address(head)}"${early}></script>
<link rel="preload" href="${address(font)}" as="font" type="font/woff2" crossorigin>
<link rel="preload" href="/v1/session" as="fetch" crossorigin>
${scripts.map((name) => `<link rel="modulepreload" fetchpriority="low" href="${address(name)}">`).join('\n')}
</head>
<body>
<div id="app" inert>${html.replace(/<link[^>]*>|<title>[^<]*<\/title>|<!--[^>]*-->/g, '')}</div>
<noscript>The dashboard needs JavaScript. The command <code>docent</code> and the API can do everything that it does.</noscript>
</body>
</html>
`;
}
