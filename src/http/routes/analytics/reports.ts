import { z } from 'zod';
import { readReport } from '../../../services/analytics/read-reports.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { projectParams } from '../projects/project-params.ts';
import { rangeOf } from './analytics-schema.ts';
import { reports } from './report-kinds.ts';
import { filtersOf, reportPaging } from './report-schema.ts';

/** `GET /v1/analytics/{projectId}/{report}` for every report of `report-kinds.ts`. */
export function reportRoutes(app: App, deps: Deps): void {
  for (const report of reports) {
    const { name, operationId, summary, description, row, example, show } = report;
    const answer = z
      .object({
        [name]: z.array(row).describe('The rows.'),
        hasMore: z.boolean().describe('Whether there are more rows.'),
      })
      .meta({ examples: [{ [name]: [example], hasMore: false }] });
    app.route({
      method: 'GET',
      url: `/v1/analytics/:projectId/${name}`,
      schema: {
        tags: ['Analytics'],
        security: [{ adminKey: [] }],
        operationId,
        summary,
        description,
        params: projectParams,
        querystring: z.object({ ...filtersOf(report.dimension), ...reportPaging }),
        response: { 200: answer, ...problems(400, 401, 403, 404) },
      },
      onRequest: requireActor(deps, 'analytics.read'),
      handler: async (request, reply) => {
        const query = { ...request.params, ...request.query, ...rangeOf(request.query) };
        const { rows, hasMore } = await readReport(deps, actorOf(request), report, query);
        return reply.send({ [name]: rows.map(show), hasMore });
      },
    });
  }
}
