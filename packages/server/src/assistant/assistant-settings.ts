import {
  type AssistantSettings,
  defaultAssistantSettings,
} from '@docent/assistant/assistant-settings.ts';
import type { Actor } from '@docent/format/access/may.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { Config } from '../kernel/config/config.ts';
import { createFreshCache } from '../kernel/fresh-cache.ts';
import type { ModelUsage, SettingsCache } from '../kernel/process-state.ts';
import { findPermittedSite } from '../kernel/sites/find-site.ts';
import { findSiteSettings, updateSiteSettings } from '../kernel/sites/site-queries.ts';
import type { Clock } from '../ports/clock.ts';
import type { Database } from '../ports/database.ts';
import { deleteWaitingOf } from './waiting/waiting-queries.ts';

/** Of each of two caches. Most settings take less than a kilobyte; instructions may take more. */
const MAX_BYTES = 4 * 1024 * 1024;

/** The settings of sites, cached briefly so that a question does not wait for them. */
export function createSettingsCache({
  database,
  clock,
}: {
  database: Database;
  clock: Clock;
}): SettingsCache {
  const options = {
    name: 'assistant_settings',
    clock,
    freshMs: 1000,
    usableMs: 5000,
    maxBytes: MAX_BYTES,
  } as const;
  const settingsCache = createFreshCache<AssistantSettings>(options);
  const visibilityCache = createFreshCache<AssistantSettings>({
    ...options,
    staleAfterMs: 1000,
  });
  const of = async (siteId: string) => {
    const settings = await settingsCache.get(siteId, async () => {
      return {
        ...defaultAssistantSettings,
        ...(await findSiteSettings(database.queries, siteId, 'assistant_settings')),
      };
    });
    return settings ?? defaultAssistantSettings;
  };
  const atHand = (siteId: string) =>
    visibilityCache.get(siteId, () => of(siteId)).catch(() => undefined);
  return {
    of,
    isShown: async (siteId) => (await atHand(siteId))?.enabled ?? false,
    searchRules: atHand,
    invalidate(siteId) {
      settingsCache.invalidate(siteId);
      visibilityCache.invalidate(siteId);
    },
  };
}

/**
 * Whether a language model writes the answers of a site with these settings; otherwise pages are
 * quoted.
 */
export function usesLanguageModel(
  { model }: Pick<Config, 'model'>,
  settings: Pick<AssistantSettings, 'model'>,
): boolean {
  return settings.model !== null || model.kind === 'language-model';
}

interface SettingsDeps {
  database: Database;
  assistantSettings: SettingsCache;
  modelUsage: ModelUsage;
  config: Config;
}

/** The settings, with what language models used of the limit. */
export interface SettingsWithUsage extends AssistantSettings {
  /** On this UTC day. */
  tokensToday: number;
}

async function withUsage(
  { assistantSettings, modelUsage }: SettingsDeps,
  siteId: string,
): Promise<SettingsWithUsage> {
  assistantSettings.invalidate(siteId);
  const settings = await assistantSettings.of(siteId);
  return { ...settings, tokensToday: await modelUsage.today(siteId) };
}

/** @throws DocentError `site_not_found` */
export async function readAssistantSettings(
  deps: SettingsDeps,
  actor: Actor,
  site: string,
): Promise<SettingsWithUsage> {
  const { id } = await findPermittedSite(deps, actor, 'projects.read', site);
  return withUsage(deps, id);
}

/**
 * Changes the given settings and keeps the others.
 * @throws DocentError `site_not_found`; `invalid_request` for a model that the platform does not
 *   have
 */
export async function changeAssistantSettings(
  deps: SettingsDeps,
  actor: Actor,
  site: string,
  changes: Partial<AssistantSettings>,
): Promise<SettingsWithUsage> {
  const { id } = await findPermittedSite(deps, actor, 'projects.write', site);
  requireKnownModel(deps.config.models, changes.model);
  await updateSiteSettings(deps.database.queries, id, 'assistant_settings', changes);
  if (changes.tellsReaders === false) await deleteWaitingOf(deps.database.queries, id);
  return withUsage(deps, id);
}

/** @throws DocentError `invalid_request` for a model that the platform does not have */
export function requireKnownModel(models: Config['models'], name: string | null | undefined): void {
  if (name === null || name === undefined || Object.hasOwn(models, name)) return;
  const modelNames = Object.keys(models);
  const message =
    modelNames.length === 0
      ? 'The platform has no further models; see DOCENT_MODELS.'
      : `Must be one of ${modelNames.join(', ')}, or null.`;
  throw new DocentError(
    'invalid_request',
    `The model is not configured on the platform: ${message}`,
    {
      errors: [{ path: '/model', message }],
    },
  );
}
