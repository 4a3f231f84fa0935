import type { Diagnostic } from '../core/diagnostics.ts';
import type { SiteConfig } from '../core/docs-json/site-config.ts';

/**
 * Takes out of the configuration the files that the repository does not have, so that no page asks for them: a site
 * without its logo shows its name instead.
 * @param assets site paths without a leading slash
 */
export function withoutMissingFiles(
  config: SiteConfig,
  configFile: string,
  assets: ReadonlySet<string>,
): { config: SiteConfig; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const isThere = (setting: string, path: string | undefined): boolean => {
    if (path === undefined || /^(?:https?:|data:)/i.test(path) || assets.has(path.replace(/^(?:\.?\/)+/, ''))) return true;
    diagnostics.push({
      severity: 'warning',
      code: 'missing-file',
      message: `${setting} names ${path}, which is not in the repository.`,
      remedy: 'Add the file, or correct the path.',
      file: configFile,
    });
    return false;
  };
  const kept: SiteConfig = { ...config };
  const bothThere = (setting: string, files: { light: string; dark: string } | undefined) => {
    const light = isThere(`${setting}.light`, files?.light);
    return isThere(`${setting}.dark`, files?.dark) && light;
  };
  if (!bothThere('logo', config.logo)) delete kept.logo;
  if (!bothThere('favicon', config.favicon)) delete kept.favicon;
  if (!bothThere('background.image', config.background.image)) {
    const { image: _, ...background } = config.background;
    kept.background = background;
  }
  return { config: kept, diagnostics };
}
