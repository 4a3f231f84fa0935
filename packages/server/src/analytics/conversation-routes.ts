import * as z from 'zod';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import * as field from '../kernel/operations/described.ts';
import { endOf, pageEnd, paging, plainText, range } from '../kernel/operations/fields.ts';
import { operationsOf } from '../kernel/operations/operation.ts';
import {
  answerFacts,
  basis,
  exampleBasis,
  exampleFacts,
  exampleSources,
  factsOf,
  outcome,
  queryOf,
  reportFilters,
  reportPaging,
  sources,
} from './analytics-schema.ts';
import type { AnswerRow, MessageRow, ThreadSummaryRow } from './conversation-queries.ts';
import {
  countQuestionsByCaller,
  deleteSiteThread,
  listConversations,
  listSiteThreads,
  QUESTION_LISTS,
  readAskedQuestions,
  readQuestionSubjects,
  readSiteThread,
} from './read-analytics.ts';

const caller = field.orNull(
  z.enum(['web', 'api']),
  'Caller: `web`, a page in a browser; `api`, a program; `null` if unknown.',
);

const conversation = field.resource(
  'AssistantConversation',
  'A question with its answer.',
  {
    id: field.text('Identifier of the answer.'),
    threadId: field.text('Identifier of the conversation.'),
    timestamp: field.time('When the answer ended.'),
    query: field.text('The question.'),
    response: field.text('The answer, in Markdown.'),
    responseType: z.literal('answer').describe('Always `answer`.'),
    sources,
    resolutionStatus: field.choice(
      ['answered', 'unanswered'],
      '`answered` for the outcome `answered`, `unanswered` for all others.',
    ),
    queryCategory: field.text.orNull(
      'Subject of the question: the group or the page of the best source; `null` without a source.',
    ),
    pageUrl: field.text.orNull('The page on which the question was asked, if known.'),
    caller,
    ...answerFacts,
  },
  {
    id: '5f0c2f6a-9f0b-4a51-8a6e-3d1c6f2b7e90',
    threadId: '01K9Z3W6Y7QJ5T8B2M4N6P8R0S',
    timestamp: '2026-11-21T10:41:00.000Z',
    query: 'How do I rotate a key?',
    response: 'To rotate a key, make a second one …',
    responseType: 'answer',
    sources: exampleSources,
    resolutionStatus: 'answered',
    queryCategory: 'API keys',
    pageUrl: 'https://docs.acme.example/guides/start',
    caller: 'web',
    ...exampleFacts,
  },
);

const threadSummary = field.resource(
  'AssistantThreadSummary',
  'A conversation, without its messages.',
  {
    threadId: field.text('Identifier of the conversation.'),
    createdAt: field.time('When the conversation started.'),
    updatedAt: field.time('When the last message was written.'),
    query: field.text('The first question.'),
    questionCount: field.int('Number of questions.'),
    outcome: outcome.nullable().describe('Outcome of the newest answer; `null` if there is none.'),
  },
  {
    threadId: '01K9Z3W6Y7QJ5T8B2M4N6P8R0S',
    createdAt: '2026-11-21T10:40:59.000Z',
    updatedAt: '2026-11-21T10:41:00.000Z',
    query: 'How do I rotate a key?',
    questionCount: 1,
    outcome: 'answered',
  },
);

const messageFields = {
  id: field.text('Identifier of the message.'),
  content: field.text('Text of the message, in Markdown.'),
  createdAt: field.time('When the message was written.'),
};
const exampleAnswer = {
  id: '5f0c2f6a-9f0b-4a51-8a6e-3d1c6f2b7e90',
  role: 'assistant' as const,
  content: 'To rotate a key, make a second one …',
  createdAt: '2026-11-21T10:41:00.000Z',
  sources: exampleSources,
  basis: exampleBasis,
  ...exampleFacts,
};
/** An answer in a conversation. */
export const threadAnswer = field.resource(
  'AssistantThreadAnswer',
  'An answer.',
  { ...messageFields, role: z.literal('assistant'), sources, basis, ...answerFacts },
  exampleAnswer,
);
const message = z.discriminatedUnion('role', [
  field.resource('AssistantThreadQuestion', 'A question.', {
    ...messageFields,
    role: z.literal('user'),
    path: field.text.orNull('The page on which the question was asked, if known.'),
    caller,
  }),
  threadAnswer,
]);
const thread = field.resource(
  'AssistantThread',
  'A conversation with its messages.',
  {
    threadId: field.text('Identifier of the conversation.'),
    createdAt: field.time('When the conversation started.'),
    messages: field.list(
      message,
      'The last messages, oldest first: at most 1,000, of at most a million characters together.',
    ),
    hasEarlier: field.flag('Whether earlier messages were omitted.'),
  },
  {
    threadId: '01K9Z3W6Y7QJ5T8B2M4N6P8R0S',
    createdAt: '2026-11-21T10:40:59.000Z',
    messages: [
      {
        id: '0d0a8f5e-2a7c-4c1e-b1d0-9f8e7d6c5b4a',
        role: 'user',
        content: 'How do I rotate a key?',
        createdAt: '2026-11-21T10:40:59.000Z',
        path: '/guides/start',
        caller: 'web',
      },
      exampleAnswer,
    ],
    hasEarlier: false,
  },
);

const callerStats = z
  .object({
    web: field.int('Questions from pages in a browser.'),
    api: field.int('Questions from programs.'),
    other: field.int('Questions from unknown callers.'),
    total: field.int('All questions.'),
  })
  .meta({ examples: [{ web: 1204, api: 87, other: 0, total: 1291 }] });

/** Shows a path that a caller sent as a URL of the site, if possible. */
function pageUrlOf(path: string | null, publicUrl: string): string | null {
  return path !== null && /^\/(?!\/)/.test(path) && URL.canParse(publicUrl + path)
    ? publicUrl + path
    : null;
}

function conversationView(
  { config }: Pick<Deps, 'config'>,
  row: AnswerRow & { subject: string | null },
  publicUrl: string,
): z.infer<typeof conversation> {
  return {
    ...row,
    timestamp: row.createdAt,
    query: row.question ?? '',
    response: row.content,
    responseType: 'answer',
    resolutionStatus: row.outcome === 'answered' ? 'answered' : 'unanswered',
    queryCategory: row.subject,
    pageUrl: pageUrlOf(row.pagePath, publicUrl),
    ...factsOf(config, row),
  };
}

function summaryView({
  id,
  createdAt,
  updatedAt,
  question,
  questionCount,
  outcome: ended,
}: ThreadSummaryRow) {
  return {
    threadId: id,
    createdAt,
    updatedAt,
    query: question ?? '',
    questionCount,
    outcome: ended,
  };
}

function messageView({ config }: Pick<Deps, 'config'>, row: MessageRow): z.infer<typeof message> {
  const both = { id: row.id, content: row.content, createdAt: row.createdAt };
  if (row.role === 'user') return { ...both, role: 'user', path: row.pagePath, caller: row.caller };
  return answerView({ config }, row);
}

/** An answer as the API shows it. */
export function answerView(
  { config }: Pick<Deps, 'config'>,
  row: Omit<MessageRow, 'role' | 'pagePath' | 'caller'>,
): z.infer<typeof threadAnswer> {
  const { id, content, createdAt, sources: pages, basis: basedOn } = row;
  return {
    ...{ id, content, createdAt, role: 'assistant', sources: pages, basis: basedOn },
    ...factsOf(config, row),
  };
}

/**
 * `GET /v1/analytics/{projectId}/assistant`, `…/threads`, `…/threads/{threadId}` and `…/caller-stats`
 */
export function conversationRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Analytics');
  const url = '/v1/analytics/:projectId/assistant';
  const filters = {
    ...range,
    path: field.optional(
      plainText(0, 500),
      'Only questions asked on this page: its path with the leading slash.',
    ),
    version: field.optional(plainText(0, 100), 'Only questions asked in this version of the site.'),
    language: field.optional(
      plainText(0, 100),
      'Only questions asked in this language of the site.',
    ),
  };
  const listQuery = z.object({
    ...filters,
    outcome: outcome.optional().describe('Only questions with this outcome.'),
    ...paging(1000, 100),
  });

  operation({
    route: `GET ${url}`,
    operationId: 'listAssistantConversations',
    summary: 'List questions and answers',
    description:
      'Lists the questions that readers asked the assistant of a site, with the answers, newest first.',
    permission: 'analytics.read',
    query: listQuery,
    answer: z.object({
      conversations: field.list(conversation, 'Questions with their answers, newest first.'),
      ...pageEnd,
    }),
    run: async (call) => {
      const page = await listConversations(deps, call.actor, queryOf(call));
      return {
        conversations: page.rows.map((row) => conversationView(deps, row, page.publicUrl)),
        ...endOf(page),
      };
    },
  });

  operation({
    route: `GET ${url}/threads`,
    operationId: 'listAssistantThreads',
    summary: 'List conversations',
    description: 'Lists the conversations with the assistant of a site, the newest first.',
    permission: 'analytics.read',
    query: listQuery,
    answer: z.object({
      threads: field.list(threadSummary, 'The conversations, newest first.'),
      ...pageEnd,
    }),
    run: async (call) => {
      const page = await listSiteThreads(deps, call.actor, queryOf(call));
      return { threads: page.rows.map(summaryView), ...endOf(page) };
    },
  });

  operation({
    route: `GET ${url}/threads/:threadId`,
    operationId: 'getAssistantThread',
    summary: 'Get a conversation',
    description:
      'Returns a conversation with its messages, oldest first; if it is very long, the last thousand.',
    permission: 'analytics.read',
    answer: thread,
    run: async ({ actor, params }) => {
      const { createdAt, hasEarlier, messages } = await readSiteThread(deps, actor, params);
      return {
        threadId: params.threadId,
        createdAt,
        messages: messages.map((row) => messageView(deps, row)),
        hasEarlier,
      };
    },
  });

  operation({
    route: `DELETE ${url}/threads/:threadId`,
    operationId: 'deleteAssistantThread',
    summary: 'Delete a conversation',
    description:
      'Deletes a conversation with its messages and their ratings, for example because it has personal data. It is no longer in any report of questions. What was counted of it stays, without its words. This cannot be undone.',
    permission: 'projects.write',
    answer: z.null().describe('The conversation is deleted.'),
    run: ({ actor, params }) => deleteSiteThread(deps, actor, params),
  });

  operation({
    route: `GET ${url}/caller-stats`,
    operationId: 'getAssistantCallerStats',
    summary: 'Count questions by caller',
    description:
      'Counts the questions to the assistant of a site from pages in a browser and from programs.',
    permission: 'analytics.read',
    query: z.object(filters),
    answer: callerStats,
    run: (call) => countQuestionsByCaller(deps, call.actor, queryOf(call)),
  });
}

const subjectCounts = {
  questions: field.int('Questions.'),
  answered: field.int('Questions that were answered.'),
  partly: field.int('Questions that were answered in part.'),
  notInDocs: field.int('Questions that the documentation does not answer.'),
  refused: field.int('Questions that the assistant declined.'),
  failed: field.int('Questions whose answer failed.'),
  unknown: field.int('Older questions, whose outcome was not stored.'),
};
const exampleCounts = {
  questions: 31,
  answered: 20,
  partly: 4,
  notInDocs: 5,
  refused: 1,
  failed: 1,
  unknown: 0,
};
const exampleSubject = {
  ...{ subject: 'API keys', kind: 'group', ...exampleCounts, notHelpful: 2 },
  ...{ lastAskedAt: '2026-11-21T10:41:00.000Z', examples: ['How do I rotate a key?'] },
} as const;
const subject = field.resource(
  'QuestionSubject',
  'A subject of questions.',
  {
    subject: field.text(
      'The group or the page of the best source; for questions without a source, a shared word, or empty.',
    ),
    kind: field.choice(['group', 'page', 'word'], 'What `subject` is.'),
    ...subjectCounts,
    notHelpful: field.int('Answers rated as unhelpful.'),
    lastAskedAt: field.time('When the newest answer ended.'),
    examples: field.texts('Up to three of the newest questions.'),
  },
  exampleSubject,
);

const askedQuestion = field.resource(
  'AskedQuestion',
  'A question, however it was put. `sources` and `outcome` are of the newest answer.',
  {
    question: field.text('The newest wording.'),
    otherWordings: field.texts('Up to three other wordings.'),
    count: field.int('How often it was asked.'),
    answered: field.int('How often it was answered.'),
    notInDocs: field.int('How often the documentation did not answer it.'),
    notHelpful: field.int('Answers rated as unhelpful.'),
    waiting: field.int('Readers who left an address to be told when it is answered.'),
    threadId: field.text('Identifier of the newest conversation with it.'),
    sources,
    outcome,
    helpful: answerFacts.helpful,
    lastAskedAt: field.time('When the newest answer ended.'),
  },
  {
    ...{ question: 'How do I rotate a key?', otherWordings: ['rotating keys'], count: 12 },
    ...{ answered: 10, notInDocs: 1, notHelpful: 2, waiting: 1 },
    threadId: '01K9Z3W6Y7QJ5T8B2M4N6P8R0S',
    ...{ sources: exampleSources, outcome: 'answered', helpful: null },
    lastAskedAt: '2026-11-21T10:41:00.000Z',
  },
);

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
    query: z.object({ ...reportFilters, ...reportPaging }),
    answer: z
      .object({
        totals: field.resource(
          'QuestionTotals',
          'All subjects together.',
          subjectCounts,
          exampleCounts,
        ),
        days: field.list(
          z.object({
            day: z.iso.date().describe('The day in UTC.'),
            questions: subjectCounts.questions,
            answered: subjectCounts.answered,
          }),
          'The days with questions, oldest first.',
        ),
        subjects: field.list(subject, 'The subjects.'),
        hasMore: field.flag('Whether there are more subjects.'),
      })
      .meta({
        examples: [
          {
            totals: exampleCounts,
            days: [{ day: '2026-11-21', questions: 31, answered: 20 }],
            subjects: [exampleSubject],
            hasMore: false,
          },
        ],
      }),
    run: async (call) => {
      const { subjects, ...found } = await readQuestionSubjects(deps, call.actor, queryOf(call));
      return {
        ...found,
        subjects: subjects.map(({ name, ...counted }) => ({ subject: name, ...counted })),
      };
    },
  });
}

/** `GET /v1/analytics/{projectId}/assistant/questions` */
export function askedQuestionsRoute(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Analytics');
  operation({
    route: 'GET /v1/analytics/:projectId/assistant/questions',
    operationId: 'listAskedQuestions',
    summary: 'List what was asked',
    description:
      'Lists the questions to the assistant of a site, most frequent first. Questions with the same meaningful words, in any order and form, are one. In a long period, only the newest 5,000 count.',
    permission: 'analytics.read',
    query: z.object({
      ...reportFilters,
      only: z
        .enum(QUESTION_LISTS)
        .default('all')
        .describe(
          '`not_in_docs`: only questions that the documentation did not answer; `not_helpful`: only those with an answer that a reader rated as unhelpful.',
        ),
      ...reportPaging,
    }),
    answer: z.object({
      questions: field.list(askedQuestion, 'The questions.'),
      hasMore: field.flag('Whether there are more questions.'),
    }),
    run: async (call) => {
      const { questions, hasMore } = await readAskedQuestions(deps, call.actor, queryOf(call));
      return {
        questions: questions.map(({ newest, ...question }) => ({
          ...question,
          ...{ threadId: newest.threadId, sources: newest.sources, outcome: newest.outcome },
          ...{ helpful: newest.helpful, lastAskedAt: newest.createdAt },
        })),
        hasMore,
      };
    },
  });
}
