import type { App } from '../../app-types.ts';
import type { CountDeps } from '../../count-fetch.ts';
import { pageRoute } from '../discovery/page.ts';
import { searchRoute } from '../discovery/search.ts';
import type { AskDeps, AskOptions } from './ask.ts';
import { askAssistantV1Routes } from './ask-v1.ts';
import { askAssistantV2Routes } from './ask-v2.ts';
import { getAssistantSettingsRoute } from './get-settings.ts';
import { rateAnswerRoute } from './rate-answer.ts';

export type DiscoveryDeps = AskDeps & Parameters<typeof askAssistantV1Routes>[1] & CountDeps;

/** What programs and chat windows ask about a site: questions, searches, pages. */
export function discoveryRoutes(app: App, deps: DiscoveryDeps, options: AskOptions): void {
  askAssistantV2Routes(app, deps, options);
  askAssistantV1Routes(app, deps, options);
  for (const add of [getAssistantSettingsRoute, rateAnswerRoute, searchRoute, pageRoute]) add(app, deps, options.access);
}
