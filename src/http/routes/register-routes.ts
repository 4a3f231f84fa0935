import type { Deps } from '../../services/deps.ts';
import { takeFeedback } from '../../services/feedback/take-feedback.ts';
import type { App } from '../base-app.ts';
import type { Metrics } from '../metrics.ts';
import { authRoutes } from './accounts/auth.ts';
import { invitationRoutes } from './accounts/invitations.ts';
import { memberRoutes, organisationRoutes, usageRoute } from './accounts/organisation.ts';
import { sessionRoute, setupRoute } from './accounts/session.ts';
import { userRoutes } from './accounts/users.ts';
import { bundleEventsRoute } from './analytics/bundle-events.ts';
import { conversationRoutes, questionSubjectsRoute } from './analytics/conversations.ts';
import { exportAnalyticsRoute } from './analytics/export.ts';
import { feedbackRoutes } from './analytics/feedback.ts';
import { reportRoutes } from './analytics/report-kinds.ts';
import { liveRoute, pagesRoute, searchesRoute, trafficRoutes } from './analytics/traffic.ts';
import { discoveryRoutes } from './assistant/assistant-routes.ts';
import { listAuditLogRoute } from './audit/list.ts';
import { getBlobRoute } from './blobs/get.ts';
import { deploymentRoutes } from './deployments/deployment-routes.ts';
import { keyAccess } from './discovery/key-access.ts';
import { exportRoutes, projectExportRoutes } from './exports/export-routes.ts';
import { hostnameRoutes } from './hostnames/hostname-routes.ts';
import { keyRoutes } from './keys/key-routes.ts';
import { dashboardRoutes } from './platform/dashboard.ts';
import { docsSchemaRoute, errorPageRoute, openApiRoute, widgetRoute } from './platform/public-files.ts';
import { previewRoutes } from './previews/preview-routes.ts';
import { projectRoutes } from './projects/project-routes.ts';
import { analyticsSettingsRoutes, assistantSettingsRoutes, securitySettingsRoutes } from './projects/settings.ts';
import { buildRoutes, putSourceRoute } from './projects/source-routes.ts';
import { sitePlaygroundRoutes } from './site/playground-routes.ts';
import { siteAssistantRoutes } from './site/site-assistant.ts';
import { siteEventsRoute } from './site/site-events.ts';
import { streamRoutes } from './streams/stream-routes.ts';

/** Registers every operation of the API except those that monitor the process (`platform/probes.ts`). */
export function registerRoutes(app: App, deps: Deps, metrics: Metrics): void {
  discoveryRoutes(app, deps, { access: keyAccess(deps), metrics });
  for (const add of [
    exportRoutes,
    projectExportRoutes,
    projectRoutes,
    putSourceRoute,
    buildRoutes,
    deploymentRoutes,
    previewRoutes,
    hostnameRoutes,
    keyRoutes,
    listAuditLogRoute,
    usageRoute,
    sessionRoute,
    setupRoute,
    authRoutes,
    organisationRoutes,
    memberRoutes,
    invitationRoutes,
    userRoutes,
    assistantSettingsRoutes,
    securitySettingsRoutes,
    feedbackRoutes,
    conversationRoutes,
    trafficRoutes,
    searchesRoute,
    reportRoutes,
    bundleEventsRoute,
    liveRoute,
    pagesRoute,
    questionSubjectsRoute,
    exportAnalyticsRoute,
    analyticsSettingsRoutes,
    streamRoutes,
  ]) {
    add(app, deps);
  }
  siteEventsRoute(app, { ...deps, takeFeedback: (...said) => takeFeedback(deps, ...said) });
  siteAssistantRoutes(app, deps, metrics);
  if (deps.config.playgroundProxy) sitePlaygroundRoutes(app, deps);
  const { linkVerifier } = deps;
  if (linkVerifier) getBlobRoute(app, { ...deps, linkVerifier });
  openApiRoute(app);
  dashboardRoutes(app, deps);
  errorPageRoute(app);
  docsSchemaRoute(app, deps);
  widgetRoute(app);
}
