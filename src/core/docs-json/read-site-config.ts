import type { Diagnostic } from '../diagnostics.ts';
import { DocentError } from '../errors.ts';
import { type JsonDocument, type JsonObject, JsonSyntaxError, type Place, parseJsonDocument } from './json-document.ts';
import { resolveRefs, type TextSource } from './resolve-refs.ts';
import { api } from './settings/api.ts';
import { appearance } from './settings/appearance.ts';
import { background } from './settings/background.ts';
import { banner } from './settings/banner.ts';
import { colors } from './settings/colors.ts';
import { description } from './settings/description.ts';
import { errors } from './settings/errors.ts';
import { favicon } from './settings/favicon.ts';
import { fonts } from './settings/fonts.ts';
import { footer } from './settings/footer.ts';
import { icons } from './settings/icons.ts';
import { logo } from './settings/logo.ts';
import { markdown } from './settings/markdown.ts';
import { name } from './settings/name.ts';
import { navbar } from './settings/navbar.ts';
import { navigationSetting } from './settings/navigation.ts';
import { redirects } from './settings/redirects.ts';
import { search } from './settings/search.ts';
import { seo } from './settings/seo.ts';
import { styling } from './settings/styling.ts';
import { theme } from './settings/theme.ts';
import { variables } from './settings/variables.ts';
import { reportJsonNotes, SettingsReader } from './settings-reader.ts';
import type { SiteConfig } from './site-config.ts';
import { mintJsonPath, upgradeMintJson } from './upgrade-mint-json.ts';

export interface ReadConfig {
  config: SiteConfig;
  /** The file that was read: `docs.json` or `mint.json`. */
  file: string;
  diagnostics: Diagnostic[];
  /** Where a member of an object of `config.navigation` was written, for later messages about it. */
  placeOf(container: object, key: string | number): Place | undefined;
}

/**
 * Reads the configuration of a site: `docs.json`, or an older `mint.json` turned into it. What is wrong in a setting is
 * reported and replaced by its default.
 * @param source the source tree; paths have no leading slash
 * @throws DocentError `build_failed` where there is no file, it is not JSON, or it has no usable navigation
 */
export function readSiteConfig(source: TextSource): ReadConfig {
  const file = ['docs.json', 'mint.json'].find((path) => source.readText(path) !== undefined);
  if (file === undefined) {
    fail('There is no docs.json in the documentation folder. Add one, or point to the folder that holds it.', '');
  }
  const diagnostics: Diagnostic[] = [];
  const document = parseFile(source.readText(file) ?? '', file);
  const root = resolveRefs(document, file, source, diagnostics);
  if (typeof root !== 'object' || root === null || Array.isArray(root)) {
    fail(`${file} must hold an object: { "name": …, "navigation": … }.`, '');
  }
  reportJsonNotes(document.notes, diagnostics);
  const isOld = file === 'mint.json';
  const settings = isOld ? upgradeMintJson(root) : root;
  const reader = new SettingsReader({
    settings,
    file,
    diagnostics,
    originalPath: isOld ? mintJsonPath : (path) => [...path],
    placeOf: (path) => document.places.find(root, path),
  });
  reader.reportUnknown(root, isOld);
  return {
    config: readSettings(reader, settings, file),
    file,
    diagnostics,
    placeOf: (container, key) => document.places.get(container, key),
  };
}

function parseFile(text: string, file: string): JsonDocument {
  try {
    return parseJsonDocument(text, file);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const { line, column } = error.place;
    fail(`${file} is not valid JSON. Line ${line}, column ${column}: ${error.message}.`, '');
  }
}

function readSettings(reader: SettingsReader, settings: JsonObject, file: string): SiteConfig {
  const navigation = navigationSetting(settings.navigation);
  if (navigation === undefined) {
    fail(
      `${file} has no usable navigation. Add "navigation": {"pages": ["index"]}, or groups, tabs, versions or languages with pages.`,
      '/navigation',
    );
  }
  const styles = reader.read('styling', styling);
  const apiConfig = reader.read('api', api);
  const config: SiteConfig = {
    theme: reader.read('theme', theme),
    name: reader.read('name', name),
    description: reader.read('description', description),
    colors: reader.read('colors', colors),
    logo: reader.read('logo', logo),
    favicon: reader.read('favicon', favicon),
    appearance: reader.read('appearance', appearance),
    fonts: reader.read('fonts', fonts),
    iconLibrary: reader.read('icons', icons).library,
    background: reader.read('background', background),
    eyebrows: styles.eyebrows,
    codeblocks: styles.codeblocks,
    latex: styles.latex,
    navbar: reader.read('navbar', navbar),
    footer: reader.read('footer', footer),
    banner: reader.read('banner', banner),
    redirects: reader.read('redirects', redirects),
    variables: reader.read('variables', variables),
    errors404: reader.read('errors', errors)['404'],
    api: apiConfig,
    seo: reader.read('seo', seo),
    searchPrompt: reader.read('search', search).prompt,
    agentInstructions: reader.read('markdown', markdown).instructions,
    navigation,
  };
  return config;
}

function fail(detail: string, path: string): never {
  throw new DocentError('build_failed', detail, { errors: [{ path, message: detail }] });
}
