import type { IncomingMessage } from 'node:http';
import { DocentError } from '@docent/format/errors.ts';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { memberRoutes, organizationRoutes, usageRoute } from '../accounts/organization-routes.ts';
import { userRoutes } from '../accounts/user-routes.ts';
import { bundleEventsRoute } from '../analytics/bundle-events-route.ts';
import {
  askedQuestionsRoute,
  conversationRoutes,
  questionSubjectsRoute,
} from '../analytics/conversation-routes.ts';
import { exportAnalyticsRoute } from '../analytics/export-routes.ts';
import { takeFeedback } from '../analytics/feedback.ts';
import { feedbackRoutes } from '../analytics/feedback-routes.ts';
import { reportRoutes } from '../analytics/report-kinds.ts';
import { siteEventsRoute } from '../analytics/site-events.ts';
import { liveRoute, pagesRoute, searchesRoute } from '../analytics/traffic-routes.ts';
import { draftPageRoute } from '../assistant/draft-page.ts';
import { experimentRoutes } from '../assistant/manage-experiment.ts';
import { replayAnswerRoutes } from '../assistant/replay-answer.ts';
import { discoveryRoutes } from '../assistant/routes.ts';
import { siteAssistantRoutes } from '../assistant/site-routes.ts';
import { closeQuestionRoute } from '../assistant/waiting/tell-readers.ts';
import { waitingRoutes } from '../assistant/waiting/waiting-routes.ts';
import { auditOperations } from '../audit/audit-operations.ts';
import { auditLogRoutes } from '../audit/routes.ts';
import { snapshotRoute } from '../backup/snapshot-routes.ts';
import { getBlobRoute } from '../blobs/routes.ts';
import { directoryRoutes } from '../directory/routes.ts';
import { scimRoutes } from '../directory/scim-routes.ts';
import { exportRoutes, projectExportRoutes } from '../exports/routes.ts';
import { githubAppRoutes } from '../github-apps/routes.ts';
import { hostnameRoutes } from '../hostnames/routes.ts';
import { invitationRoutes } from '../invitations/routes.ts';
import type { Deps } from '../kernel/deps.ts';
import { type App, createBaseApp } from '../kernel/http/base-app.ts';
import { allowBrowsers, isDiscoveryPath } from '../kernel/http/browser-origins.ts';
import { compressAnswers } from '../kernel/http/compress-answers.ts';
import type { Metrics } from '../kernel/http/metrics.ts';
import {
  type CountedReply,
  type CountedRequest,
  createRepeats,
} from '../kernel/http/repeat-answers.ts';
import {
  isUnknownHost,
  ownerOfHost,
  rewriteUrl,
  separateSites,
  transportPolicy,
} from '../kernel/http/site-hosts.ts';
import { traceRequests } from '../kernel/http/trace-requests.ts';
import { isOperatorRequest } from '../kernel/operations/identify.ts';
import { keyAccess } from '../kernel/operations/key-access.ts';
import { logRequest } from '../kernel/operations/request-line.ts';
import type { SiteRouting } from '../kernel/sites/site-routing.ts';
import { keyRoutes } from '../keys/routes.ts';
import { organizationProviderRoutes } from '../organization-sign-in/provider-routes.ts';
import { organizationSignInRoutes } from '../organization-sign-in/routes.ts';
import { dashboardRoutes } from '../platform/dashboard.ts';
import { createPlatformMetrics } from '../platform/platform-metrics.ts';
import { probeRoutes } from '../platform/probes.ts';
import {
  errorPageRoute,
  fileSchemaRoutes,
  helpRoute,
  openApiRoute,
  securityContactRoute,
  widgetRoute,
} from '../platform/public-files.ts';
import { watchReadiness } from '../platform/readiness.ts';
import { sitePlaygroundRoutes } from '../playground/routes.ts';
import { guardPreviews } from '../previews/preview-gate.ts';
import { deploymentRoutes } from '../publishing/deployment-routes.ts';
import { previewRoutes } from '../publishing/preview-routes.ts';
import { buildRoutes, putSourceRoute } from '../publishing/source-routes.ts';
import { forgetPullRequests, restrictPullRequests } from '../pull-requests/manage-pull-requests.ts';
import { pullRequestRoutes } from '../pull-requests/routes.ts';
import { accessRoutes } from '../readers/routes/access-routes.ts';
import { platformWays } from '../readers/routes/platform-ways.ts';
import { guardReaders } from '../readers/routes/reader-gate.ts';
import { siteReaderRoutes } from '../readers/routes/site-reader-routes.ts';
import { authRoutes } from '../sign-in/auth-routes.ts';
import { sessionRoute, setupRoute } from '../sign-in/session-routes.ts';
import { projectRoutes } from '../sites/routes.ts';
import {
  analyticsSettingsRoutes,
  assistantSettingsRoutes,
  securitySettingsRoutes,
  trySearchRulesRoute,
} from '../sites/settings.ts';
import { sitePagesRoute } from '../sites/site-pages-route.ts';
import type { GitSourceRow } from '../sources/queries.ts';
import { gitSourceRoutes } from '../sources/routes.ts';
import { githubAppWebhookRoute, gitWebhookRoute } from '../sources/webhook-routes.ts';
import { streamRoutes } from '../streams/routes.ts';
import { webhookRoutes } from '../webhooks-out/routes.ts';
import { describeRoutes } from './api-document/describe-routes.ts';

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
/** Sites have their default names only. */
export const defaultRouting: SiteRouting = { slugOf: () => undefined, basePathOf: () => '' };
/** Paths of load balancer probes, on any hostname. */
const HEALTH = new Set(['/healthz', '/readyz']);

/** Creates the HTTP application. Does not listen yet. */
export async function buildApp(deps: Deps, options: AppOptions = {}): Promise<FastifyInstance> {
  const { app, check } = await composeApp(deps, options);
  await check();
  return app;
}

/**
 * Creates the HTTP application, also while the database is not open yet.
 * @returns it, and what checks its dependencies before it listens
 */
export async function composeApp(
  deps: Deps,
  options: AppOptions = {},
): Promise<{ app: FastifyInstance; check: () => Promise<void> }> {
  const ownerOf = ownerOfHost(deps.config, options.routing ?? defaultRouting);
  const isLeaving = options.isLeaving ?? (() => false);
  const { readiness, check } = watchReadiness(deps);
  const metrics = createPlatformMetrics(deps, readiness);
  const internalUrl = (request: IncomingMessage) => rewriteUrl(request, ownerOf);
  const count = (request: CountedRequest, reply: CountedReply) => {
    metrics.observe(request, reply);
    logRequest(deps, request, reply);
  };
  const repeats = createRepeats({ internalUrl, onSent: count });
  const app = createBaseApp({
    logger: deps.logger,
    isLeaving,
    requestTimeout: REQUEST_TIMEOUT_MS,
    bodies: { trustedProxies: deps.config.trustedProxies },
    transportPolicyOf: (request) => transportPolicy(request, deps.config),
    rewriteUrl: internalUrl,
    // A trace has every request.
    ...(!deps.telemetry && { repeats }),
  });
  if (deps.telemetry) traceRequests(app, deps.telemetry);
  deps.telemetry?.exportMetrics(() => metrics.values());
  app.addHook('onRequest', refuseUnknownHost);
  app.addHook('onRequest', warnOfUntrustedProxy(deps));
  app.addHook('onRequest', allowBrowsers);
  app.addHook('onRequest', keepFromCaches);
  separateSites(app, deps);
  guardPreviews(app, deps);
  guardReaders(app, deps, platformWays(deps));
  auditOperations(app, deps);
  compressAnswers(app);
  app.addHook('onResponse', (request, reply, done) => {
    count(request, reply);
    repeats.keep(request, reply);
    done();
  });
  describeRoutes(app, deps.config.publicUrl);
  registerRoutes(app, deps, metrics);
  app.addHook('onClose', async () => readiness.stop());
  probeRoutes(app, deps, { metrics, readiness, isLeaving });
  for (const plugin of options.plugins ?? []) await app.register(plugin);
  await app.ready();
  return { app, check };
}

/**
 * A page elsewhere can make a browser call us under its own hostname that resolves to us (DNS
 * rebinding), and read the response.
 */
function refuseUnknownHost(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  const isRefused =
    isUnknownHost(request.raw) &&
    !isOperatorRequest(request) &&
    !HEALTH.has(request.url.split('?')[0] as string);
  if (isRefused)
    throw new DocentError(
      'misdirected_request',
      'No site or platform has this host name; use the public address, a hostname of a site, or an IP address.',
    );
  done();
}

/**
 * Responses of the API are of one caller and one moment, and some hold a secret. Routes whose
 * responses may be kept say so.
 */
function keepFromCaches(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (request.url.startsWith('/v1/') || isDiscoveryPath(request.url))
    reply.header('cache-control', 'no-store');
  done();
}

/** Warns once that requests come through a proxy whose clients cannot be distinguished. */
function warnOfUntrustedProxy({ config, logger }: Pick<Deps, 'config' | 'logger'>) {
  let isDone = config.trustedProxies.kind !== 'none';
  return (request: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
    if (!isDone && request.headers['x-forwarded-for'] !== undefined) {
      isDone = true;
      logger.warn(
        { remoteAddress: request.raw.socket.remoteAddress },
        'a request carries X-Forwarded-For, but no proxy is trusted, so all its clients share one address and one limit; set DOCENT_TRUSTED_PROXIES',
      );
    }
    done();
  };
}

/**
 * Registers every operation of the API except those that monitor the process
 * (`platform/probes.ts`).
 */
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
    directoryRoutes,
    scimRoutes,
    organizationSignInRoutes,
    organizationProviderRoutes,
    userRoutes,
    assistantSettingsRoutes,
    trySearchRulesRoute,
    experimentRoutes,
    securitySettingsRoutes,
    accessRoutes,
    siteReaderRoutes,
    feedbackRoutes,
    conversationRoutes,
    askedQuestionsRoute,
    replayAnswerRoutes,
    draftPageRoute,
    closeQuestionRoute,
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
    githubAppWebhookRoute,
    githubAppRoutes,
    pullRequestRoutes,
    webhookRoutes,
  ]) {
    add(app, deps);
  }
  const sourceDeps = {
    ...deps,
    forgetPullRequests: (source: GitSourceRow) => forgetPullRequests(deps, source),
    restrictPullRequests: (source: GitSourceRow) => restrictPullRequests(deps, source),
  };
  gitSourceRoutes(app, sourceDeps);
  siteEventsRoute(app, { ...deps, takeFeedback: (...said) => takeFeedback(deps, ...said) });
  siteAssistantRoutes(app, deps, metrics);
  waitingRoutes(app, deps);
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
