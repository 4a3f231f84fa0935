import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import type { Metrics } from '../../metrics.ts';
import { healthRoutes } from './health.ts';
import { metricsRoute } from './metrics.ts';

/** Registers the routes that monitor a process: health, readiness, metrics. */
export function probeRoutes(app: App, deps: Deps, metrics: Metrics, isLeaving: () => boolean): void {
  healthRoutes(app, deps, isLeaving);
  metricsRoute(app, deps, metrics);
}
