import { z } from 'zod';
import { readQuestionSubjects } from '../../../services/analytics/read-analytics.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { operationsOf } from '../../operation.ts';
import { isoTime } from '../fields.ts';
import { projectParams } from '../projects/project-schema.ts';
import { queryOf } from './analytics-schema.ts';
import { reportFilters, reportPaging } from './report-schema.ts';

const counts = {
  questions: z.int().describe('Questions.'),
  answered: z.int().describe('Questions that were answered.'),
  notInDocs: z.int().describe('Questions that the documentation does not answer.'),
};
const exampleCounts = { questions: 31, answered: 24, notInDocs: 5 };
const exampleSubject = {
  ...{ subject: 'API keys', kind: 'group', ...exampleCounts, notHelpful: 2 },
  ...{ lastAskedAt: '2026-11-21T10:41:00.000Z', examples: ['How do I rotate a key?'] },
} as const;
const subject = z
  .object({
    subject: z
      .string()
      .describe('The group or the page of the best source; for questions without a source, a shared word, or empty.'),
    kind: z.enum(['group', 'page', 'word']).describe('What `subject` is.'),
    ...counts,
    notHelpful: z.int().describe('Answers rated as unhelpful.'),
    lastAskedAt: isoTime.describe('When the newest answer ended.'),
    examples: z.array(z.string()).describe('Up to three of the newest questions.'),
  })
  .meta({ id: 'QuestionSubject', description: 'A subject of questions.', examples: [exampleSubject] });

/** `GET /v1/analytics/{projectId}/assistant/subjects` */
export function questionSubjectsRoute(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Analytics');
  operation({
    route: 'GET /v1/analytics/:projectId/assistant/subjects',
    operationId: 'listQuestionSubjects',
    summary: 'Count questions by subject',
    description:
      'Counts the questions to the assistant of a site by subject, most frequent first. In a long period, only the newest 5,000 questions count.',
    permission: 'analytics.read',
    params: projectParams,
    query: z.object({ ...reportFilters, ...reportPaging }),
    answer: z
      .object({
        totals: z.object(counts).meta({ id: 'QuestionTotals', description: 'All subjects together.', examples: [exampleCounts] }),
        days: z
          .array(
            z.object({
              day: z.iso.date().describe('The day in UTC.'),
              questions: counts.questions,
              answered: counts.answered,
            }),
          )
          .describe('The days with questions, oldest first.'),
        subjects: z.array(subject).describe('The subjects.'),
        hasMore: z.boolean().describe('Whether there are more subjects.'),
      })
      .meta({
        examples: [
          {
            totals: exampleCounts,
            days: [{ day: '2026-11-21', questions: 31, answered: 24 }],
            subjects: [exampleSubject],
            hasMore: false,
          },
        ],
      }),
    run: async (call) => {
      const { subjects, ...found } = await readQuestionSubjects(deps, call.actor, queryOf(call));
      return { ...found, subjects: subjects.map(({ name, ...counted }) => ({ subject: name, ...counted })) };
    },
  });
}
