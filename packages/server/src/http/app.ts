import { DocentError } from '@docent/format/errors.ts';
import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { forgetPullRequests } from '../pull-requests/manage-pull-requests.ts';
import { pullRequestRoutes } from '../pull-requests/pull-request-routes.ts';
import { accessRoutes } from '../readers/routes/access-routes.ts';
import { guardReaders } from '../readers/routes/reader-gate.ts';
import { takeFeedback } from '../services/analytics/feedback.ts';
import type { Deps } from '../services/kernel/deps.ts';
import { watchReadiness } from '../services/kernel/readiness.ts';
import type { SiteRouting } from '../services/sites/site-routing.ts';
import { webhookRoutes } from '../webhooks-out/webhook-routes.ts';
import { openApiOptions } from './api-document/document-options.ts';
import { compressAnswers } from './compress-answers.ts';
import { auditOperations } from './kernel/audit.ts';
import { type App, createBaseApp } from './kernel/base-app.ts';
import { allowBrowsers, isDiscoveryPath } from './kernel/browser-origins.ts';
import { isOperatorRequest } from './kernel/identify.ts';
import type { Metrics } from './kernel/metrics.ts';
import { createPlatformMetrics } from './kernel/platform-metrics.ts';
import { logRequest } from './kernel/request-line.ts';
import { isUnknownHost, ownerOfHost, rewriteUrl, separateSites, transportPolicy } from './kernel/site-hosts.ts';
import { traceRequests } from './kernel/trace-requests.ts';
import { guardPreviews } from './preview-gate.ts';
import { authRoutes } from './routes/accounts/auth.ts';
import { invitationRoutes } from './routes/accounts/invitations.ts';
import { memberRoutes, organizationRoutes, usageRoute } from './routes/accounts/organization.ts';
import { sessionRoute, setupRoute } from './routes/accounts/session.ts';
import { userRoutes } from './routes/accounts/users.ts';
import { bundleEventsRoute } from './routes/analytics/bundle-events.ts';
import { conversationRoutes, questionSubjectsRoute } from './routes/analytics/conversations.ts';
import { exportAnalyticsRoute } from './routes/analytics/export.ts';
import { feedbackRoutes } from './routes/analytics/feedback.ts';
import { reportRoutes } from './routes/analytics/report-kinds.ts';
import { liveRoute, pagesRoute, searchesRoute } from './routes/analytics/traffic.ts';
import { discoveryRoutes } from './routes/assistant/assistant-routes.ts';
import { auditLogRoutes } from './routes/audit/audit-log-routes.ts';
import { getBlobRoute } from './routes/blobs/get.ts';
import { deploymentRoutes } from './routes/deployments/deployment-routes.ts';
import { keyAccess } from './routes/discovery/key-access.ts';
import { exportRoutes, projectExportRoutes } from './routes/exports/export-routes.ts';
import { hostnameRoutes } from './routes/hostnames/hostname-routes.ts';
import { keyRoutes } from './routes/keys/key-routes.ts';
import { dashboardRoutes } from './routes/platform/dashboard.ts';
import { probeRoutes } from './routes/platform/probes.ts';
import {
  errorPageRoute,
  fileSchemaRoutes,
  helpRoute,
  openApiRoute,
  securityContactRoute,
  widgetRoute,
} from './routes/platform/public-files.ts';
import { snapshotRoute } from './routes/platform/snapshot.ts';
import { previewRoutes } from './routes/previews/preview-routes.ts';
import { projectRoutes } from './routes/projects/project-routes.ts';
import { analyticsSettingsRoutes, assistantSettingsRoutes, securitySettingsRoutes } from './routes/projects/settings.ts';
import { sitePagesRoute } from './routes/projects/site-pages-route.ts';
import { buildRoutes, putSourceRoute } from './routes/projects/source-routes.ts';
import { sitePlaygroundRoutes } from './routes/site/playground-routes.ts';
import { siteAssistantRoutes } from './routes/site/site-assistant.ts';
import { siteEventsRoute } from './routes/site/site-events.ts';
import { gitSourceRoutes, gitWebhookRoute } from './routes/sources/git-source-routes.ts';
import { streamRoutes } from './routes/streams/stream-routes.ts';

export interface AppOptions {
  /** Maps requests to sites; by default, sites have their default names only. */
  routing?: SiteRouting;
  /** Adds routes besides those of the API. */
  plugins?: FastifyPluginAsync[];
  /** Whether the process was asked to stop and only finishes open requests. */
  isLeaving?: () => boolean;
}

/** Maximum duration of a slow upload; it also cuts connections that only pretend to send. */
const REQUEST_TIMEOUT_MS = 30 * 60 * 1000;
const defaultRouting: SiteRouting = { slugOf: () => undefined, basePathOf: () => '' };
/** Paths of load balancer probes, on any hostname. */
const HEALTH = new Set(['/healthz', '/readyz']);

/** Creates the HTTP application. Does not listen yet. */
export async function buildApp(deps: Deps, options: AppOptions = {}): Promise<FastifyInstance> {
  const ownerOf = ownerOfHost(deps.config, options.routing ?? defaultRouting);
  const isLeaving = options.isLeaving ?? (() => false);
  const readiness = await watchReadiness(deps);
  const metrics = createPlatformMetrics(deps, readiness);
  const app = createBaseApp({
    logger: deps.logger,
    isLeaving,
    requestTimeout: REQUEST_TIMEOUT_MS,
    bodies: { trustedProxies: deps.config.trustedProxies },
    transportPolicyOf: (request) => transportPolicy(request, deps.config),
    rewriteUrl: (request) => rewriteUrl(request, ownerOf),
  });
  if (deps.telemetry) traceRequests(app, deps.telemetry);
  deps.telemetry?.exportMetrics(() => metrics.registry.getMetricsAsJSON());
  app.addHook('onRequest', refuseUnknownHost);
  app.addHook('onRequest', warnOfUntrustedProxy(deps));
  app.addHook('onRequest', allowBrowsers);
  app.addHook('onRequest', keepFromCaches);
  separateSites(app, deps);
  guardPreviews(app, deps);
  guardReaders(app, deps);
  auditOperations(app, deps);
  compressAnswers(app);
  app.addHook('onResponse', async (request, reply) => {
    metrics.observe(request, reply);
    logRequest(deps, request, reply);
  });
  await app.register(swagger, openApiOptions(deps.config.publicUrl));
  registerRoutes(app, deps, metrics);
  app.addHook('onClose', async () => readiness.stop());
  probeRoutes(app, deps, { metrics, readiness, isLeaving });
  for (const plugin of options.plugins ?? []) await app.register(plugin);
  await app.ready();
  return app;
}

/**
 * A page elsewhere can make a browser call us under its own hostname that resolves to us (DNS rebinding), and read the response.
 */
async function refuseUnknownHost(request: FastifyRequest): Promise<void> {
  if (!isUnknownHost(request.raw) || isOperatorRequest(request) || HEALTH.has(request.url.split('?')[0] as string)) return;
  throw new DocentError(
    'misdirected_request',
    'No site or platform has this host name; use the public address, a hostname of a site, or an IP address.',
  );
}

/** Responses of the API are of one caller and one moment, and some hold a secret. Routes whose responses may be kept say so. */
async function keepFromCaches(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (request.url.startsWith('/v1/') || isDiscoveryPath(request.url)) reply.header('cache-control', 'no-store');
}

/** Warns once that requests come through a proxy whose clients cannot be distinguished. */
function warnOfUntrustedProxy({ config, logger }: Pick<Deps, 'config' | 'logger'>) {
  let isDone = config.trustedProxies.kind !== 'none';
  return async (request: FastifyRequest): Promise<void> => {
    if (isDone || request.headers['x-forwarded-for'] === undefined) return;
    isDone = true;
    logger.warn(
      { remoteAddress: request.raw.socket.remoteAddress },
      'a request carries X-Forwarded-For, but no proxy is trusted, so all its clients share one address and one limit; set DOCENT_TRUSTED_PROXIES',
    );
  };
}

/** Registers every operation of the API except those that monitor the process (`platform/probes.ts`). */
function registerRoutes(app: App, deps: Deps, metrics: Metrics): void {
  discoveryRoutes(app, deps, { access: keyAccess(deps), metrics });
  for (const add of [
    exportRoutes,
    projectExportRoutes,
    projectRoutes,
    sitePagesRoute,
    putSourceRoute,
    buildRoutes,
    deploymentRoutes,
    previewRoutes,
    hostnameRoutes,
    keyRoutes,
    auditLogRoutes,
    usageRoute,
    sessionRoute,
    setupRoute,
    authRoutes,
    organizationRoutes,
    memberRoutes,
    invitationRoutes,
    userRoutes,
    assistantSettingsRoutes,
    securitySettingsRoutes,
    accessRoutes,
    feedbackRoutes,
    conversationRoutes,
    reportRoutes,
    searchesRoute,
    bundleEventsRoute,
    liveRoute,
    pagesRoute,
    questionSubjectsRoute,
    exportAnalyticsRoute,
    analyticsSettingsRoutes,
    streamRoutes,
    gitWebhookRoute,
    pullRequestRoutes,
    webhookRoutes,
  ]) {
    add(app, deps);
  }
  gitSourceRoutes(app, { ...deps, forgetPullRequests: (source) => forgetPullRequests(deps, source) });
  siteEventsRoute(app, { ...deps, takeFeedback: (...said) => takeFeedback(deps, ...said) });
  siteAssistantRoutes(app, deps, metrics);
  if (deps.config.playgroundProxy) sitePlaygroundRoutes(app, deps);
  const { linkVerifier } = deps;
  if (linkVerifier) getBlobRoute(app, { ...deps, linkVerifier });
  snapshotRoute(app, deps);
  openApiRoute(app);
  dashboardRoutes(app, deps);
  errorPageRoute(app);
  helpRoute(app, deps);
  securityContactRoute(app, deps);
  fileSchemaRoutes(app, deps);
  widgetRoute(app, deps);
}
