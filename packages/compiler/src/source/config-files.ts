import type { Diagnostic } from '@docent/format/diagnostics.ts';
import type { SiteConfig } from '@docent/format/docs-json/site-config.ts';
import type { Place } from '@docent/format/json-document.ts';

/**
 * Removes files that do not exist from the configuration, so that no page requests them: a site
 * without its logo shows its name instead.
 * @param assets site paths without a leading slash
 * @param placeOf returns where a setting was written
 */
export function withoutMissingFiles(
  config: SiteConfig,
  configFile: string,
  assets: ReadonlySet<string>,
  placeOf: (path: string[]) => Place | undefined = () => undefined,
): { config: SiteConfig; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const isThere = (setting: string, path: string | undefined): boolean => {
    if (path === undefined || /^(?:(?:https?:)?\/\/|data:)/i.test(path)) return true;
    if (assets.has(path.replace(/^(?:\.?\/)+/, ''))) return true;
    diagnostics.push({
      severity: 'warning',
      code: 'missing-file',
      message: `${setting} names ${path}, which is not in the repository.`,
      remedy: 'Add the file, or correct the path.',
      file: configFile,
      ...placeOf(setting.split('.')),
    });
    return false;
  };
  const kept: SiteConfig = { ...config };
  const bothThere = (setting: string, files: { light: string; dark: string } | undefined) => {
    if (files?.light === files?.dark) return isThere(setting, files?.light);
    const light = isThere(`${setting}.light`, files?.light);
    return isThere(`${setting}.dark`, files?.dark) && light;
  };
  if (!bothThere('logo', config.logo)) delete kept.logo;
  if (!bothThere('favicon', config.favicon)) delete kept.favicon;
  if (!bothThere('background.image', config.background.image)) {
    const { image: _, ...background } = config.background;
    kept.background = background;
  }
  if (!isThere('thumbnails.background', config.thumbnails?.background)) {
    const { background: _, ...thumbnails } = config.thumbnails ?? {};
    kept.thumbnails = thumbnails;
  }
  for (const use of ['heading', 'body'] as const) {
    const { source, ...withoutFile } = config.fonts?.[use] ?? { family: '' };
    if (!isThere(`fonts.${use}.source`, source)) kept.fonts = { ...kept.fonts, [use]: withoutFile };
  }
  return { config: kept, diagnostics };
}
