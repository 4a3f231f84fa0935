import * as z from 'zod';
import * as field from '../kernel/operations/described.ts';
import type { compareDeployments } from './compare-deployments.ts';
import {
  deploymentSummarySchema,
  exampleSummary,
  pageList,
  summaryView,
} from './deployment-schema.ts';

export const base = z
  .string()
  .max(63)
  .default('live')
  .describe('Identifier of the deployment to compare with, or `live` for the live one.');

export const comparisonSchema = field.resource(
  'DeploymentComparison',
  'The pages in which two deployments differ.',
  {
    deployment: deploymentSummarySchema.describe('The deployment.'),
    base: field.orNull(
      deploymentSummarySchema,
      'What it is compared with; `null` if nothing is live.',
    ),
    added: pageList.describe('Pages that only the deployment has.'),
    changed: pageList.describe(
      'Pages that both have and that differ, in their text or only in their settings.',
    ),
    removed: pageList.describe('Pages that only the other one has.'),
  },
  {
    deployment: {
      ...exampleSummary,
      id: '01K9ZB7R3V5X7Z9B1D3F5H7J9K',
      isLive: false,
      canPromote: true,
    },
    base: exampleSummary,
    added: { count: 0, pages: [] },
    changed: { count: 1, pages: ['/guides/start'] },
    removed: { count: 0, pages: [] },
  },
);

export function comparisonView({
  deployment,
  base,
  changes: { comparedWith: _, ...changes },
}: Awaited<ReturnType<typeof compareDeployments>>): z.infer<typeof comparisonSchema> {
  return { deployment: summaryView(deployment), base: base && summaryView(base), ...changes };
}

const part = field.resource('DiffPart', 'A part of a line.', {
  text: field.text('The text.'),
  isChanged: field.flag('Whether it differs from the line that it replaces or that replaces it.'),
});

const row = z
  .discriminatedUnion('kind', [
    z.object({
      kind: field.choice(['same', 'added', 'removed'], 'Which of the two texts has the line.'),
      parts: field.list(part, 'The line, in parts that differ and parts that do not.'),
    }),
    z.object({
      kind: z.literal('gap').describe('Equal lines are left out here.'),
      lines: field.int('How many lines are left out.'),
    }),
  ])
  .meta({
    id: 'DiffRow',
    description: 'A line of a difference, or equal lines that are left out.',
  });

const title = z.string().nullable();

export const pageComparisonSchema = field.resource(
  'PageComparison',
  'The text of a page in two deployments.',
  {
    path: field.text('Site path of the page.'),
    title: title.describe('Its title in the deployment; `null` if that does not have it.'),
    baseTitle: title.describe(
      'Its title in the other deployment; `null` if that does not have it.',
    ),
    rows: field.list(
      row,
      'The difference, up to 2,000 rows; without changes if only settings of the page differ.',
    ),
    added: field.int('Number of added lines.'),
    removed: field.int('Number of removed lines.'),
    isCut: field.flag('Whether rows are missing at the end.'),
  },
  {
    path: '/guides/start',
    title: 'Start',
    baseTitle: 'Start',
    rows: [
      { kind: 'gap' as const, lines: 12 },
      { kind: 'removed' as const, parts: [{ text: 'Run it.', isChanged: false }] },
      { kind: 'added' as const, parts: [{ text: 'Install it first.', isChanged: false }] },
    ],
    added: 1,
    removed: 1,
    isCut: false,
  },
);
