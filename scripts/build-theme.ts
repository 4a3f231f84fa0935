import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { foreignWords } from '@docent/assistant/retrieve/foreign-words.ts';
import { iconMasks } from '@docent/theme/parts/icons.ts';
import {
  assistantMessages,
  playgroundMessages,
  searchMessages,
  TRANSLATIONS,
  type Translation,
} from '@docent/theme/translations/translations.ts';
import { build } from 'esbuild';
import { terminalStyles, tokenStyles } from '../packages/compiler/src/highlight/code-theme.ts';
import {
  diagramLibrary,
  formulaFonts,
  formulaStyles,
  hashedName,
  sha256Of,
  TARGETS,
  textFontFaces,
  textFonts,
  writeCompressed,
} from './dist-files.ts';

const themeSource = fileURLToPath(new URL('../packages/theme/src', import.meta.url));
const defaultOut = fileURLToPath(new URL('../dist/theme', import.meta.url));

const OWN_FILE =
  /^(?:site|components|extras|navigation|later|maple|palm|aspen|dev|(?:assistant|playground|search)(?:-[a-z-]{2,8})?|answers|foreign-words|widget|katex|preview-bar|diagrams|mermaid|islands|inter-[a-z-]+|KaTeX_[\w-]+)-[0-9a-f]{10}\.(?:css|js|woff2)(?:\.br|\.gz)?$/;

/** Output of the build by logical name (`site.css`). */
export type ThemeManifest = Record<string, ThemeManifestEntry>;

interface ThemeManifestEntry {
  file: string;
  sha256: string;
  sizeBytes: number;
  /** The client feature that needs the file; absent if every page needs it. */
  feature?: string;
}

/** The style sheets of the themes with a structure other than that of `mint`. */
const FAMILIES = ['maple.css', 'palm.css', 'aspen.css'];

/**
 * The scripts of pages: of every page, of pages with certain components, and those that `site.js`
 * loads on demand.
 */
const SCRIPTS = ['site', 'components', 'navigation', 'later'] as const;

/** The style sheets of parts that scripts add to a page. */
const SCRIPT_STYLES: Partial<Record<(typeof SCRIPTS)[number], string>> = {
  components: 'images.css',
  later: 'later.css',
};

async function pageScript(name: (typeof SCRIPTS)[number]): Promise<Uint8Array> {
  const styles = SCRIPT_STYLES[name];
  return bundleScript(
    `page/${name}.ts`,
    styles === undefined ? {} : { STYLES: JSON.stringify(await styleText(styles)) },
  );
}

/** The style sheets of a folder, in name order. */
async function stylesIn(folder: 'text' | 'components' | 'extras'): Promise<string[]> {
  const names = await readdir(join(themeSource, 'styles', folder));
  return names.sort().map((name) => `${folder}/${name}`);
}

/**
 * A style sheet that a page links. Each names the layers, because any of them can be the first of a
 * page.
 */
async function bundleStyles(names: readonly string[], rest = ''): Promise<Uint8Array> {
  const imports = ['layers.css', ...names].map((name) => `@import "./${name}";`);
  const { outputFiles } = await build({
    stdin: {
      contents: `${imports.join('\n')}\n${rest}`,
      resolveDir: join(themeSource, 'styles'),
      loader: 'css',
      sourcefile: 'theme.css',
    },
    bundle: true,
    external: ['*.woff2'],
    minify: true,
    write: false,
    target: TARGETS,
    legalComments: 'none',
  });
  return outputFiles[0]!.contents;
}

/** A separate style sheet, for a script that includes it. */
async function styleText(...names: string[]): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: names.map((name) => `@import "./${name}";`).join('\n'),
      resolveDir: join(themeSource, 'styles/on-demand'),
      loader: 'css',
    },
    bundle: true,
    minify: true,
    write: false,
    target: TARGETS,
    legalComments: 'none',
  });
  return outputFiles[0]!.text.trim();
}

/** Classic scripts, because a page opened from disk may not load modules. */
async function bundleScript(
  name: string,
  define: Record<string, string> = {},
): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [join(themeSource, 'elements', name)],
    bundle: true,
    minify: true,
    write: false,
    define,
    format: 'iife',
    platform: 'browser',
    target: TARGETS,
    legalComments: 'none',
  });
  return outputFiles[0]!.contents;
}

/** A script that a worker runs too, from its text: `answers/answers.ts` says why. */
function asFunction(script: Uint8Array): Uint8Array {
  return Buffer.from(
    `var __docentAnswers=function(){${Buffer.from(script).toString('utf8')}};__docentAnswers();\n`,
  );
}

async function writeAsset(
  outFolder: string,
  logicalName: string,
  asset: ThemeAssetSource,
): Promise<ThemeManifestEntry> {
  const { bytes, feature } = asset;
  const file = hashedName(logicalName, bytes);
  await writeCompressed(outFolder, file, bytes);
  return {
    file,
    sha256: sha256Of(bytes),
    sizeBytes: bytes.length,
    ...(feature === undefined ? {} : { feature }),
  };
}

interface ThemeAssetSource {
  bytes: Uint8Array;
  feature?: string;
}

/**
 * A script of the assistant that includes the panel's style: the panel is in a shadow root, which
 * no style sheet of a page affects.
 */
async function bundlePanel(name: string, style: string): Promise<Uint8Array> {
  return bundleScript(name, {
    ASSISTANT_STYLES: JSON.stringify(style),
    ASSISTANT_TEXTS: JSON.stringify(assistantMessages(TRANSLATIONS.en)),
  });
}

/**
 * The texts of a script in every language except English, which the script itself contains: one
 * file each.
 */
function textFiles(
  name: string,
  variable: string,
  messages: (of: Translation) => object,
): Record<string, ThemeAssetSource> {
  const others = Object.entries(TRANSLATIONS).filter(([code]) => code !== 'en');
  return Object.fromEntries(
    others.map(([code, translation]) => {
      const script = `(globalThis.${variable}??={})[${JSON.stringify(code)}]=${JSON.stringify(messages(translation))};\n`;
      // No page has this feature: the pages of a language refer to its file.
      return [
        `${name}-${code}.js`,
        { bytes: Buffer.from(script), feature: `docent-${name}-texts` },
      ];
    }),
  );
}

/** A widget is embedded in pages with any `rem`, so its lengths are absolute. */
function withoutRem(style: string): string {
  return style.replace(/(\d*\.?\d+)rem\b/g, (_, value: string) => `${Number(value) * 16}px`);
}

/** What words of other languages mean, for questions that this browser answers. */
const dictionary = Buffer.from(`__docentForeignWords=${JSON.stringify(foreignWords)};\n`);

/** The files of formulas and diagrams, loaded only by pages that contain any. */
async function featureAssets(): Promise<Record<string, ThemeAssetSource>> {
  const [
    fonts,
    ownStyles,
    diagrams,
    library,
    islands,
    dev,
    previewStyle,
    previewScript,
    answers,
    assistant,
    widget,
    playground,
  ] = await Promise.all([
    formulaFonts(),
    readFile(join(themeSource, 'styles/on-demand/formulas.css'), 'utf8'),
    bundleScript('diagrams/diagrams.ts'),
    diagramLibrary(),
    bundleScript('islands/islands.ts'),
    bundleScript('dev/dev.ts'),
    styleText('preview-bar.css'),
    bundleScript('preview-bar.ts'),
    bundleScript('answers/answers.ts', {
      FOREIGN_WORDS: JSON.stringify(hashedName('foreign-words.js', dictionary)),
    }).then(asFunction),
    styleText(
      'assistant.css',
      'assistant-answers.css',
      'assistant-input.css',
      'assistant-quotes.css',
    ).then((style) => bundlePanel('assistant/assistant.ts', style)),
    styleText(
      '../tokens.css',
      'assistant.css',
      'assistant-answers.css',
      'assistant-input.css',
      'assistant-quotes.css',
      'assistant-widget.css',
    ).then((style) => bundlePanel('assistant/widget.ts', withoutRem(style))),
    styleText('playground-form.css', 'playground.css').then((style) =>
      bundleScript('playground/playground.ts', {
        PLAYGROUND_STYLES: JSON.stringify(style),
        PLAYGROUND_TEXTS: JSON.stringify(playgroundMessages(TRANSLATIONS.en)),
      }),
    ),
  ]);
  return {
    ...fonts,
    'katex.css': await formulaStyles(ownStyles, (font) => hashedName(font, fonts[font]!.bytes)),
    'diagrams.js': { bytes: diagrams, feature: 'docent-mermaid' },
    'mermaid.js': library,
    'islands.js': { bytes: islands, feature: 'docent-island' },
    'playground.js': { bytes: playground, feature: 'docent-playground' },
    // No page has this feature: the assistant is a property of the whole site.
    // Loaded with the first question that no server answers.
    'answers.js': { bytes: answers, feature: 'docent-assistant' },
    // Loaded with the first question in another language.
    'foreign-words.js': { bytes: dictionary, feature: 'docent-assistant' },
    'assistant.js': { bytes: assistant, feature: 'docent-assistant' },
    ...textFiles('assistant', '__docentAssistantTexts', assistantMessages),
    ...textFiles('playground', '__docentPlaygroundTexts', playgroundMessages),
    ...textFiles('search', '__docentSearchTexts', searchMessages),
    'widget.js': { bytes: widget, feature: 'docent-assistant' },
    // Nor this one: only the development server serves it.
    'dev.js': { bytes: dev, feature: 'docent-dev' },
    // Only previews have it, and no export contains one.
    'preview-bar.css': { bytes: Buffer.from(previewStyle), feature: 'docent-preview' },
    'preview-bar.js': { bytes: previewScript, feature: 'docent-preview' },
  };
}

/** Only files of an earlier build: the caller may name any folder. */
async function removeOldAssets(outFolder: string): Promise<void> {
  const old = (await readdir(outFolder)).filter((name) => OWN_FILE.test(name));
  await Promise.all(old.map((name) => rm(join(outFolder, name))));
}

/**
 * Builds the style sheet and the scripts of the theme into `outFolder`, each under a name that
 * contains its hash, with compressed copies, and `manifest.json`. Removes the folder's previous
 * content.
 */
export async function buildTheme(outFolder: string = defaultOut): Promise<ThemeManifest> {
  const fonts = await textFonts();
  const fontFaces = await textFontFaces((font) => `./${hashedName(font, fonts[font]!.bytes)}`);
  const [styles, components, extras, families, scripts, search, features] = await Promise.all([
    bundleStyles(
      ['site.css', ...(await stylesIn('text'))],
      `${fontFaces}\n${tokenStyles()}${iconMasks()}`,
    ),
    bundleStyles(await stylesIn('components'), terminalStyles()),
    bundleStyles(await stylesIn('extras')),
    Promise.all(
      FAMILIES.map(
        async (name) =>
          [name, { bytes: await bundleStyles([`themes/${name}`, 'sidebar-column.css']) }] as const,
      ),
    ),
    Promise.all(
      SCRIPTS.map(async (name) => [`${name}.js`, { bytes: await pageScript(name) }] as const),
    ),
    styleText('search.css').then((style) =>
      bundleScript('search/search.ts', {
        STYLES: JSON.stringify(style),
        SEARCH_TEXTS: JSON.stringify(searchMessages(TRANSLATIONS.en)),
      }),
    ),
    featureAssets(),
  ]);
  await mkdir(outFolder, { recursive: true });
  await removeOldAssets(outFolder);
  const assets: Record<string, ThemeAssetSource> = {
    'site.css': { bytes: styles },
    'components.css': { bytes: components },
    'extras.css': { bytes: extras },
    ...Object.fromEntries(families),
    ...Object.fromEntries(scripts),
    'search.js': { bytes: search },
    ...fonts,
    ...features,
  };
  const entries = await Promise.all(
    Object.entries(assets).map(
      async ([name, asset]) => [name, await writeAsset(outFolder, name, asset)] as const,
    ),
  );
  const manifest: ThemeManifest = Object.fromEntries(entries);
  await writeFile(join(outFolder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

if (process.argv[1] && basename(process.argv[1]) === 'build-theme.ts') {
  const manifest = await buildTheme(process.argv[2]);
  for (const [name, entry] of Object.entries(manifest))
    console.log(`${name}\t${entry.file}\t${entry.sizeBytes} bytes`);
}
