import type { Diagnostic } from '../diagnostics.ts';
import { DocentError, type SourcePlace } from '../errors.ts';
import {
  type JsonDocument,
  type JsonNote,
  type JsonObject,
  JsonSyntaxError,
  type JsonValue,
  type Place,
  PlaceMap,
  parseJsonDocument,
} from '../json-document.ts';
import { isObject } from '../json-value.ts';
import { nearestName } from '../nearest-name.ts';
import { COMPOSED_SETTINGS, composeSettings, type SourceSettings } from './compose-sources.ts';
import { noteIntegrations } from './integration-notes.ts';
import { allSettings, docsSchema, type SettingValues } from './json-schema.ts';
import { resolveRefs, type TextSource } from './resolve-refs.ts';
import { banner, footer, navbar } from './settings/header-footer.ts';
import { readIntegrations } from './settings/integrations.ts';
import {
  GIT_FACTS_FILE,
  type GitFacts,
  type Repository,
  readGitFacts,
  readRepository,
} from './settings/repository.ts';
import { examineSettings, type SettingRemark, SettingsReader } from './settings-reader.ts';
import type { LanguageParts, NavigationSource, SiteConfig } from './site-config.ts';
import {
  type ComposedSource,
  type ConfiguredSource,
  inFolder,
  readComposedSources,
  SOURCES_FILE,
  sourceOf,
} from './site-sources.ts';
import { mintJsonKeys, mintJsonPath, upgradeMintJson } from './upgrade-mint-json.ts';

export interface ReadConfig {
  config: SiteConfig;
  /** The file: `docs.json` or `mint.json`. */
  file: string;
  diagnostics: Diagnostic[];
  /** Returns the position of a member of an object in `config.navigation`, for later messages. */
  placeOf(container: object, key: string | number): Place | undefined;
  /** Returns the position of a setting: `['logo', 'light']`. */
  placeOfSetting(path: readonly PropertyKey[]): Place | undefined;
  /** Returns the position of the redirect from that path. */
  placeOfRedirect(source: string): Place | undefined;
}

/**
 * Reads the configuration of a site: `docs.json`, or an older `mint.json` converted to it. Reports
 * invalid settings and replaces them by their defaults. If the tree has several sources, those of
 * all are composed.
 * @param source the source tree; paths have no leading slash
 * @throws DocentError `build_failed` if there is no file, it is not JSON, or it has no usable
 *   navigation
 */
export function readSiteConfig(source: TextSource): ReadConfig {
  const diagnostics: Diagnostic[] = [];
  const sources = readComposedSources(source.readText(SOURCES_FILE));
  const placed = sources.find(({ isBase }) => isBase);
  const ofBase: TextSource = {
    readText: (path) =>
      sourceOf(sources, path) === placed || !sourceOf(sources, path)
        ? source.readText(path)
        : undefined,
  };
  const base = {
    ...readSettingsFile(ofBase, placed?.path ?? '', new PlaceMap(), diagnostics),
    ...(placed && { source: placed }),
  };
  const { file, places, root, isOld } = base;
  const others = sources
    .filter((other) => other !== placed)
    .map((other) => ({
      source: other,
      ...readSettingsFile(source, other.path, places, diagnostics),
    }));
  const settings =
    sources.length === 0 ? base.settings : composed(base, others, source, diagnostics);
  reportHidden(sources, diagnostics);
  const isComposed = ([key]: readonly PropertyKey[]) =>
    sources.length > 0 && key !== undefined && COMPOSED_SETTINGS.has(key);
  const originalPath = (path: readonly PropertyKey[]) =>
    isOld && !isComposed(path) ? mintJsonPath(path, root) : [...path];
  const placeIn = (path: readonly PropertyKey[]) =>
    places.find(isComposed(path) ? settings : root, path);
  const reader = new SettingsReader({
    settings,
    file,
    diagnostics,
    originalPath,
    placeOf: placeIn,
  });
  const placeOf: ReadConfig['placeOf'] = (container, key) => places.get(container, key);
  reportRemarks(reader, root, settings, isOld);
  reader.report(base.lost.map((remark) => ({ kind: 'no-effect', ...remark })));
  const config = readSettings(reader, settings, {
    file,
    placeOf,
    git: readGitFacts(source.readText(GIT_FACTS_FILE)),
  });
  return {
    config:
      sources.length === 0
        ? config
        : {
            ...config,
            sources: [
              ...(placed ? [configuredBase(placed, config)] : []),
              ...configured(others, source, config, diagnostics),
            ],
          },
    file,
    diagnostics,
    placeOf,
    placeOfSetting: (path) => placeIn(originalPath(path)),
    placeOfRedirect: (from) =>
      placeOfRedirect(sources.length === 0 ? root.redirects : settings.redirects, from, places),
  };
}

/** The settings of one source, in the form of docs.json. */
interface SettingsFile {
  file: string;
  places: PlaceMap;
  /** As written, without references. */
  root: JsonObject;
  settings: JsonObject;
  isOld: boolean;
  lost: ReturnType<typeof upgradeMintJson>['lost'];
}

/** @param folder that of a further source; empty for the base */
function readSettingsFile(
  source: TextSource,
  folder: string,
  places: PlaceMap,
  diagnostics: Diagnostic[],
): SettingsFile {
  const file = ['docs.json', 'mint.json']
    .map((name) => inFolder(folder, name))
    .find((path) => source.readText(path) !== undefined);
  if (file === undefined) {
    fail(
      folder === ''
        ? 'There is no docs.json in the documentation folder. Specify the folder that contains it, or write one with "docent init".'
        : `There is no docs.json in the source at /${folder}. Correct its folder, or write one with "docent init".`,
      '',
    );
  }
  const document = parseFile(source.readText(file) ?? '', file, places);
  const root = resolveRefs(document, file, source, diagnostics, folder);
  if (typeof root !== 'object' || root === null || Array.isArray(root)) {
    fail(`${file} must contain an object: { "name": …, "navigation": … }.`, '', { file });
  }
  reportJsonNotes(document.notes, diagnostics);
  const isOld = file.endsWith('mint.json');
  const { settings, lost } = isOld ? upgradeMintJson(root) : { settings: root, lost: [] };
  return { file, places, root, settings, isOld, lost };
}

function composed(
  base: SettingsFile & { source?: ComposedSource },
  others: readonly (SettingsFile & { source: ComposedSource })[],
  tree: TextSource,
  diagnostics: Diagnostic[],
): JsonObject {
  const { places } = base;
  const sources = [base, ...others].map((source): SourceSettings => {
    const navigation = navigationSetting(source.settings.navigation) as JsonObject | undefined;
    if (navigation) return { ...source, navigation };
    return failNavigation(source.settings.navigation, source.file, (container, key) =>
      places.get(container, key),
    );
  });
  return composeSettings({ sources, tree, places, diagnostics });
}

/** What the configuration of the site keeps of its further sources. */
function configured(
  others: readonly (SettingsFile & { source: ComposedSource })[],
  tree: TextSource,
  { api }: Pick<SiteConfig, 'api'>,
  diagnostics: Diagnostic[],
): ConfiguredSource[] {
  return others.map(({ source: { path, name }, settings, root, file, places, isOld }) => {
    const { feedback } = settings;
    const written = isObject(feedback) ? feedback.repository : undefined;
    const repository = withSubmodules(
      typeof written === 'string' ? readRepository(written) : undefined,
      readGitFacts(tree.readText(`${path}/${GIT_FACTS_FILE}`)),
    );
    const reader = new SettingsReader({
      settings,
      file,
      diagnostics,
      originalPath: (setting) => (isOld ? mintJsonPath(setting, root) : [...setting]),
      placeOf: (setting) => places.find(root, setting),
    });
    return {
      path,
      name,
      ...(repository && { repository }),
      ...(isObject(settings.api) && { api: apiOfSource(reader, settings.api, api) }),
    };
  });
}

/** A base source whose pages are below a path, too. */
function configuredBase(
  { path, name }: ComposedSource,
  { feedback }: SiteConfig,
): ConfiguredSource {
  const repository = feedback?.repository;
  return { path, name, isBase: true, ...(repository && { repository }) };
}

/** How the API pages of a source look. Which servers may be called says the base source. */
function apiOfSource(
  reader: SettingsReader,
  { openapi: _, asyncapi: __, ...written }: JsonObject,
  base: SiteConfig['api'],
): SiteConfig['api'] {
  const { openapi, asyncapi, isProxied } = base;
  const settings = reader.readPart(['api'], written, allSettings.api) ?? base;
  return { ...settings, openapi, asyncapi, isProxied };
}

function reportHidden(sources: readonly ComposedSource[], diagnostics: Diagnostic[]): void {
  for (const { path, name, hides = [] } of sources)
    for (const file of hides)
      diagnostics.push({
        severity: 'warning',
        code: 'source-conflict',
        message: `The file is left out, because everything below /${path} comes from ${name}.`,
        remedy: 'Rename its folder, or give the source another path.',
        file,
      });
}

function placeOfRedirect(
  list: JsonValue | undefined,
  source: string,
  places: PlaceMap,
): Place | undefined {
  if (!Array.isArray(list)) return undefined;
  const bare = (path: unknown) =>
    typeof path === 'string' ? path.trim().replace(/^\//, '') : undefined;
  const at = list.findIndex(
    (rule) =>
      typeof rule === 'object' &&
      rule !== null &&
      'source' in rule &&
      bare(rule.source) === bare(source),
  );
  return at < 0 ? undefined : places.get(list, at);
}

function parseFile(text: string, file: string, places: PlaceMap): JsonDocument {
  try {
    return parseJsonDocument(text, file, places);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const { line, column } = error.place;
    fail(
      `${file} is not valid JSON. Line ${line}, column ${column}: ${error.message}.`,
      '',
      error.place,
    );
  }
}

function readSettings(
  reader: SettingsReader,
  settings: JsonObject,
  { file, placeOf, git }: Pick<ReadConfig, 'file' | 'placeOf'> & { git: GitFacts },
): SiteConfig {
  const navigation = navigationSetting(settings.navigation);
  if (navigation === undefined) failNavigation(settings.navigation, file, placeOf);
  const values = reader.readAll(allSettings);
  const {
    icons,
    styling,
    interaction,
    metadata,
    errors,
    markdown,
    search,
    integrations,
    variations: _,
    ...same
  } = values;
  const feedback = withRepository(same.feedback, git);
  reader.report(withoutRepository(feedback));
  const { services, consent, telemetry } = readIntegrations(integrations);
  noteIntegrations(reader, Object.keys(services));
  const byLanguage = readLanguageParts(settings.navigation ?? null, reader);
  return {
    ...same,
    ...styling,
    iconLibrary: icons.library,
    byLanguage: byLanguage.length > 0 ? byLanguage : undefined,
    drilldown: interaction.drilldown,
    timestamp: metadata.timestamp,
    errors404: errors['404'],
    searchPrompt: search.prompt,
    telemetry: telemetry === false ? telemetry : undefined,
    integrations: Object.keys(services).length > 0 ? { services, consent } : undefined,
    feedback,
    agentInstructions: markdown.instructions,
    markdownSchema: markdown.schema,
    navigation,
  };
}

/** Names the key that probably should be a list of pages; otherwise says what a navigation is. */
function failNavigation(
  value: JsonValue | undefined,
  file: string,
  placeOf: ReadConfig['placeOf'],
): never {
  const keys =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  for (const key of keys) {
    const meant = nearestName(key, PATTERNS);
    if (meant === undefined) continue;
    const detail = `"navigation" has no list of pages: there is no "${key.slice(0, 60)}". Did you mean "${meant}"? (navigation.${key.slice(0, 60)})`;
    fail(detail, '/navigation', placeOf(value as JsonObject, key) ?? { file });
  }
  const detail = `${file} has no usable navigation. Add "navigation": {"pages": ["index"]}, or groups, tabs, versions or languages with pages.`;
  fail(detail, '/navigation', { file });
}

/** What an author says about the repository, with what only Git knows of it. */
function withSubmodules(
  written: Repository | undefined,
  { repository }: GitFacts,
): Repository | undefined {
  const { submodules } = repository ?? {};
  return written && submodules ? { ...written, submodules } : (written ?? repository);
}

/** The author's repository setting takes precedence over Git metadata. */
function withRepository(
  feedback: SettingValues['feedback'],
  git: GitFacts,
): SettingValues['feedback'] {
  const repository = withSubmodules(feedback.repository, git);
  return repository ? { ...feedback, repository } : feedback;
}

/** Reports source links that cannot be generated. */
function withoutRepository({
  repository,
  ...feedback
}: SettingValues['feedback']): SettingRemark[] {
  if (repository) return [];
  const instead = 'there is no link, because the source location is unknown';
  const remedy = 'Set "feedback.repository" to the repository, or remove the setting.';
  const enabledLinks = (['suggestEdit', 'raiseIssue'] as const).filter((name) => feedback[name]);
  return enabledLinks.map((name) => ({
    kind: 'no-effect',
    path: ['feedback', name],
    instead,
    remedy,
  }));
}

/**
 * Reports unknown names and settings without effect. The navigation of an old file has a different
 * shape.
 */
function reportRemarks(
  reader: SettingsReader,
  root: JsonObject,
  settings: JsonObject,
  isOld: boolean,
): void {
  if (isOld) {
    for (const key of Object.keys(root))
      if (!mintJsonKeys.has(key)) reader.reportUnknownName(key, mintJsonKeys);
  }
  const { navigation, ...rest } = settings;
  reader.report(examineSettings(isOld ? rest : settings, docsSchema()));
}

function fail(detail: string, path: string, place?: SourcePlace): never {
  throw new DocentError('build_failed', detail, { errors: [{ path, message: detail }], place });
}

/** Reports what the lenient parser accepted as warnings, one for each kind and file. */
function reportJsonNotes(notes: readonly JsonNote[], diagnostics: Diagnostic[]): void {
  const seen = new Set<string>();
  for (const { kind, key, place } of notes) {
    const isSyntax = kind === 'comment' || kind === 'trailing-comma';
    const seenKey = `${kind} ${place.file}`;
    if (isSyntax && seen.has(seenKey)) continue;
    seen.add(seenKey);
    const [message, remedy] = isSyntax
      ? [
          `The file has ${kind === 'comment' ? 'comments' : 'commas before a closing bracket'}, which strict JSON forbids.`,
          'Remove them, so that every tool can read the file.',
        ]
      : kind === 'duplicate-key'
        ? [
            `"${key}" is defined twice in the same object; only the last one applies.`,
            'Remove one of them.',
          ]
        : [`The name "${key}" is not allowed; it is ignored.`, 'Remove it.'];
    diagnostics.push({
      severity: 'warning',
      code: isSyntax ? 'lenient-json' : `${kind}`,
      message,
      remedy,
      ...place,
    });
  }
}

/** Languages are at the top or inside products and the like, never deep. */
const DEEPEST = 12;

/** Reads the header, the footer and the banner that languages of the navigation override. */
export function readLanguageParts(
  navigation: JsonValue,
  reader: SettingsReader,
): NonNullable<SiteConfig['byLanguage']> {
  const languageParts: NonNullable<SiteConfig['byLanguage']> = [];
  const names = new Set<string>();
  for (const { item, path } of languagesIn(navigation, ['navigation'], 0)) {
    const { language } = item;
    if (typeof language !== 'string' || names.has(language)) continue;
    const parts = partsOf(item, path, reader);
    if (Object.keys(parts).length === 0) continue;
    names.add(language);
    languageParts.push({ language: language.trim(), parts });
  }
  return languageParts;
}

function partsOf(item: JsonObject, path: PropertyKey[], reader: SettingsReader): LanguageParts {
  const parts: LanguageParts = {};
  if (item.navbar !== undefined)
    parts.navbar = reader.readPart([...path, 'navbar'], item.navbar, navbar);
  if (item.footer !== undefined)
    parts.footer = reader.readPart([...path, 'footer'], item.footer, footer);
  if (item.banner !== undefined)
    parts.banner = reader.readPart([...path, 'banner'], item.banner, banner);
  // An invalid part was reported; the site's own applies instead.
  for (const key of ['navbar', 'footer', 'banner'] as const)
    if (parts[key] === undefined) delete parts[key];
  return parts;
}

function* languagesIn(
  value: JsonValue,
  path: PropertyKey[],
  depth: number,
): Generator<{ item: JsonObject; path: PropertyKey[] }> {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      yield* languagesIn(item, [...path, index], depth + 1);
    return;
  }
  if (typeof value.language === 'string') yield { item: value, path };
  for (const key of ['languages', 'versions', 'products', 'dropdowns', 'anchors', 'tabs']) {
    if (Array.isArray(value[key])) yield* languagesIn(value[key], [...path, key], depth + 1);
  }
}

const PATTERNS = [
  'pages',
  'groups',
  'tabs',
  'anchors',
  'dropdowns',
  'products',
  'versions',
  'languages',
  'menu',
];

/**
 * `navigation`: checks only its outermost shape; `format/navigation` reads the tree. A bare list is read as groups or pages, as in
 * older files. Objects keep their identity, which maps them to positions in the file.
 * @returns undefined if nothing in it can contain a page
 */
export function navigationSetting(value: JsonValue | undefined): NavigationSource | undefined {
  if (Array.isArray(value)) return value.length > 0 ? { pages: value } : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  const hasApi = value.openapi !== undefined || value.asyncapi !== undefined;
  return hasApi || PATTERNS.some((key) => Object.hasOwn(value, key)) ? value : undefined;
}
