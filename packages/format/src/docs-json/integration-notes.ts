import type { Diagnostic } from '../diagnostics.ts';
import type { ChosenIntegrations } from './settings/integration-table.ts';
import type { SettingsReader } from './settings-reader.ts';

const CODE = 'integrations-need-operator';
const MAX_NAMED = 10;

/** Returns the first services as a text. */
function namedServices(services: readonly string[]): string {
  const more = services.length > MAX_NAMED ? ` and ${services.length - MAX_NAMED} more` : '';
  return services.slice(0, MAX_NAMED).join(', ') + more;
}

/**
 * Says of the services that a site names who lets pages load them. A build does not know it;
 * `withoutIntegrationsNote` does.
 */
export function noteIntegrations(reader: SettingsReader, services: readonly string[]): void {
  const [first] = services;
  if (first === undefined) return;
  reader.note(
    CODE,
    ['integrations', first],
    `Pages load third-party scripts (${namedServices(services)}) only on the live site, if the operator of the server allows it.`,
    'Ask the operator to set DOCENT_INTEGRATIONS=on.',
  );
}

/** What is left to say on a server that allows integrations. */
export function withoutIntegrationsNote(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.filter(({ code }) => code !== CODE);
}

/** The note in a bundle about the site's integrations; undefined if it has none. */
export function bundleIntegrationsNote({
  integrations,
}: {
  integrations?: { services: ChosenIntegrations };
}): string | undefined {
  const services = Object.keys(integrations?.services ?? {});
  if (services.length === 0) return undefined;
  return `The bundle loads none of the site's integrations (${namedServices(services)}): it sends nothing to third parties.`;
}
