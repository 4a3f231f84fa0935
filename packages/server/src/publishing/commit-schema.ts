import type { Commit } from '@docent/format/deployments/commit.ts';
import * as z from 'zod';
import * as field from '../kernel/operations/described.ts';
import { plainText } from '../kernel/operations/fields.ts';

const MAX_SENT_MESSAGE = 4000;
const MAX_SENT_PATHS = 1000;

/** A parameter that may be repeated; one that is sent once arrives as a text. */
const paths = z
  .preprocess(
    (sent) => (typeof sent === 'string' ? [sent] : sent),
    z.array(plainText(1, 1000)).max(MAX_SENT_PATHS).optional(),
  )
  .meta({ type: 'array', items: { type: 'string' }, maxItems: MAX_SENT_PATHS });
/** An unset variable of a pipeline is sent as an empty value, which says nothing. */
const sent = (maxLength: number) => plainText(0, maxLength).optional();

/** The parameters that describe the commit of an uploaded source. */
export const commitParameters = {
  sha: sent(64).describe('Hash of the commit that the source was made from.'),
  ref: sent(1000).describe('Its branch or tag.'),
  message: sent(MAX_SENT_MESSAGE).describe('Its message, of which the first line is stored.'),
  author: sent(1000).describe('Name of its author.'),
  committedAt: sent(64).describe('When it was made, in ISO 8601.'),
  repository: sent(1000).describe(
    'URL of the repository, as `git remote get-url` prints it; user and password are removed.',
  ),
  added: paths.describe(
    'Path of an added file; repeat it for others. Up to 300 are stored, as of the next two.',
  ),
  modified: paths.describe('Path of a changed file.'),
  removed: paths.describe('Path of a removed file.'),
};

const commitFields = {
  sha: field.text('Hash of the commit; empty if it was not sent, like the next two.'),
  ref: field.text('Branch or tag.'),
  message: field.text('First line of the message.'),
  author: field.text.orNull('Name of the author; `null` if it was not sent, like the next two.'),
  committedAt: z.iso.datetime().nullable().describe('When the commit was made.'),
  repository: field.text.orNull('Web address of the repository.'),
};

const filesChanged = z.object({
  added: field.texts('Paths of the added files.'),
  modified: field.texts('Paths of the changed files.'),
  removed: field.texts('Paths of the removed files.'),
});

export const commitSummary = field.resource(
  'CommitSummary',
  'A commit without its files, as its publisher described it.',
  commitFields,
);

export const commitSchema = field.resource(
  'Commit',
  'The commit that a source was made from, as its publisher described it.',
  {
    ...commitFields,
    filesChanged: filesChanged.describe('Files changed by the commit, up to 300 of each kind.'),
  },
);

export const commitExample = {
  sha: '1f3c9ab2d4e6f8071b2c3d4e5f60718293a4b5c6',
  ref: 'main',
  message: 'Fix the links of the set-up guide',
  author: 'Ada Lovelace',
  committedAt: '2026-11-21T08:58:00.000Z',
  repository: 'https://github.com/acme/docs',
} satisfies Omit<Commit, 'filesChanged'>;

export const commitWithFilesExample: Commit = {
  ...commitExample,
  filesChanged: {
    added: ['guides/install.mdx'],
    modified: ['index.mdx', 'guides/start.mdx'],
    removed: [],
  },
};
