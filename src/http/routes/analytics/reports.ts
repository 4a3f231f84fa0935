import { z } from 'zod';
import { readReport } from '../../../services/analytics/read-reports.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { operationsOf } from '../../operation.ts';
import { projectParams } from '../projects/project-schema.ts';
import { queryOf } from './analytics-schema.ts';
import { reports } from './report-kinds.ts';
import { filtersOf, reportPaging } from './report-schema.ts';

/** `GET /v1/analytics/{projectId}/{report}` for every report of `report-kinds.ts`. */
export function reportRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Analytics');
  for (const report of reports) {
    const { name, operationId, summary, description, row, example, show } = report;
    const answer = z
      .object({
        [name]: z.array(row).describe('The rows.'),
        hasMore: z.boolean().describe('Whether there are more rows.'),
      })
      .meta({ examples: [{ [name]: [example], hasMore: false }] });
    operation({
      route: `GET /v1/analytics/:projectId/${name}`,
      operationId,
      summary,
      description,
      permission: 'analytics.read',
      params: projectParams,
      query: z.object({ ...filtersOf(report.dimension), ...reportPaging }),
      answer,
      run: async (call) => {
        const { rows, hasMore } = await readReport(deps, call.actor, report, queryOf(call));
        return { [name]: rows.map(show), hasMore };
      },
    });
  }
}
