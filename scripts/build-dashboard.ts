import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { compile } from 'tailwindcss';
import { iconNames } from '../src/dashboard/ui/icon-names.ts';
import { hashedName, TARGETS, writeCompressed } from './compressed-file.ts';
import { textFontFaces, textFonts } from './theme-libraries.ts';

const source = fileURLToPath(new URL('../src/dashboard', import.meta.url));

/** Where the server has what the build wrote. */
export const ASSETS_PATH = '/dashboard/assets';

export interface DashboardBuild {
  /** Every file, by its name below `ASSETS_PATH`. */
  files: Map<string, Uint8Array>;
  /** The page that loads them. */
  html: string;
}

export interface BuildOptions {
  /** For those who work on the dashboard: the page of all components, readable scripts, and a page that reloads itself. */
  development?: boolean;
}

/** Bundles the dashboard: scripts in parts that are loaded on demand, one style sheet, the fonts and the page. */
export async function bundleDashboard({ development = false }: BuildOptions = {}): Promise<DashboardBuild> {
  const fonts = await textFonts();
  const fontName = (name: string) => hashedName(name, fonts[name]!.bytes);
  const [scripts, styles] = await Promise.all([bundleScripts(development), makeStyles(fontName)]);
  const styleName = hashedName('app.css', styles);
  const files = new Map(scripts.files).set(styleName, styles);
  for (const [name, { bytes }] of Object.entries(fonts)) files.set(fontName(name), bytes);
  return { files, html: pageOf(scripts.entry, scripts.preloads, styleName, fontName('inter-latin.woff2')) };
}

async function bundleScripts(development: boolean) {
  const { outputFiles, metafile } = await build({
    entryPoints: { app: join(source, 'main.tsx') },
    outdir: '/out',
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    jsx: 'automatic',
    jsxDev: false,
    target: TARGETS,
    minify: !development,
    sourcemap: development ? 'inline' : false,
    legalComments: 'none',
    write: false,
    metafile: true,
    define: {
      'process.env.NODE_ENV': development ? '"development"' : '"production"',
      DOCENT_DEVELOPMENT: String(development),
    },
    plugins: [iconPlugin],
  });
  const entry = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint?.endsWith('main.tsx'))!;
  const preloads = entry[1].imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => basename(path));
  const files = outputFiles.map(({ path, contents }) => [basename(path), contents] as const);
  return { files, entry: basename(entry[0]), preloads };
}

/** The module `docent:icons`: the drawings that `ui/icon-names.ts` names, and no others. */
const iconPlugin: Plugin = {
  name: 'icons',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^docent:icons$/ }, ({ path }) => ({ path, namespace: 'icons' }));
    onLoad({ filter: /.*/, namespace: 'icons' }, async () => {
      const file = fileURLToPath(import.meta.resolve('@iconify-json/lucide/icons.json'));
      const { icons } = JSON.parse(await readFile(file, 'utf8')) as { icons: Record<string, { body: string } | undefined> };
      const drawings = iconNames.map((name) => {
        const body = icons[name]?.body;
        if (body === undefined) throw new Error(`The icon set has no "${name}".`);
        return [name, body];
      });
      return { contents: JSON.stringify(Object.fromEntries(drawings)), loader: 'json' };
    });
  },
};

/** Anything in the sources that can be the name of a utility; the engine knows which are. */
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
  const names = (await readdir(source, { recursive: true })).filter((name) => name.endsWith('.tsx'));
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

function pageOf(entry: string, preloads: readonly string[], style: string, font: string): string {
  const address = (name: string) => `${ASSETS_PATH}/${name}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Docent</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="description" content="Publish documentation sites, and manage their assistants, keys and exports.">
<link rel="icon" href="/dashboard/favicon.svg" type="image/svg+xml">
<link rel="preload" href="${address(font)}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${address(style)}">
${preloads.map((name) => `<link rel="modulepreload" href="${address(name)}">\n`).join('')}<script type="module" src="${address(entry)}"></script>
</head>
<body>
<div id="app"></div>
<noscript>The dashboard needs JavaScript. Everything that it does, the command <code>docent</code> and the API do too.</noscript>
</body>
</html>
`;
}

/** Builds the dashboard into `outFolder`, which is emptied first: the page, and in `assets/` its files with their compressed forms. */
export async function buildDashboard(outFolder: string): Promise<void> {
  const { files, html } = await bundleDashboard();
  const assets = join(outFolder, 'assets');
  await rm(outFolder, { recursive: true, force: true });
  await mkdir(assets, { recursive: true });
  await Promise.all([...files].map(([name, bytes]) => writeCompressed(assets, name, bytes)));
  await writeFile(join(outFolder, 'index.html'), html);
}
