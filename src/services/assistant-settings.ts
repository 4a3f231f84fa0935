import { type Actor, requirePermission } from '../core/access/may.ts';
import { type AssistantSettings, defaultAssistantSettings } from '../core/assistant/assistant-settings.ts';
import { DocentError } from '../core/errors.ts';
import { findAssistantSettings, updateAssistantSettings } from '../db/assistant-settings.ts';
import type { Deps } from './deps.ts';
import { findActorSite } from './find-actor-site.ts';

/** How long settings are believed without asking the database. */
const BELIEVED_MS = 1000;
const MOST_SITES_HELD = 1000;

/** The settings of sites, held for a second so that a question does not wait for them. */
export interface SettingsCache {
  of(siteId: string): Promise<AssistantSettings>;
  forget(siteId: string): void;
}

export function createSettingsCache({ database, clock }: Pick<Deps, 'database' | 'clock'>): SettingsCache {
  const held = new Map<string, { settings: Promise<AssistantSettings>; readAt: number }>();
  return {
    of(siteId) {
      const now = clock.now().getTime();
      const known = held.get(siteId);
      if (known && now - known.readAt < BELIEVED_MS) return known.settings;
      const settings = findAssistantSettings(database.queries, siteId).then((stored) => ({
        ...defaultAssistantSettings,
        ...stored,
      }));
      held.delete(siteId);
      held.set(siteId, { settings, readAt: now });
      settings.catch(() => held.delete(siteId));
      const [oldest] = held.keys();
      if (held.size > MOST_SITES_HELD && oldest !== undefined) held.delete(oldest);
      return settings;
    },
    forget: (siteId) => void held.delete(siteId),
  };
}

type SettingsDeps = Pick<Deps, 'database' | 'assistantSettings' | 'config'>;

/** @throws DocentError `site_not_found` */
export async function readAssistantSettings(deps: SettingsDeps, actor: Actor, site: string): Promise<AssistantSettings> {
  requirePermission(actor, 'projects.read');
  const { id } = await findActorSite(deps, actor, site);
  deps.assistantSettings.forget(id);
  return deps.assistantSettings.of(id);
}

/**
 * Changes the settings that are given and keeps the others.
 * @throws DocentError `site_not_found`; `invalid_request` for a model that the platform does not have
 */
export async function changeAssistantSettings(
  deps: SettingsDeps,
  actor: Actor,
  site: string,
  changes: Partial<AssistantSettings>,
): Promise<AssistantSettings> {
  requirePermission(actor, 'projects.write');
  const { id } = await findActorSite(deps, actor, site);
  requireKnownModel(deps.config.models, changes.model);
  await updateAssistantSettings(deps.database.queries, id, changes);
  deps.assistantSettings.forget(id);
  return deps.assistantSettings.of(id);
}

function requireKnownModel(models: Deps['config']['models'], name: string | null | undefined): void {
  if (name === null || name === undefined || Object.hasOwn(models, name)) return;
  const known = Object.keys(models);
  const message =
    known.length === 0
      ? 'The platform has no further models; see DOCENT_MODELS.'
      : `Must be one of ${known.join(', ')}, or null.`;
  throw new DocentError('invalid_request', `The model is not one of the platform's: ${message}`, {
    errors: [{ path: '/model', message }],
  });
}
