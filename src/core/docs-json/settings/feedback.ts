import { z } from 'zod';
import { about } from '../annotations.ts';
import { type Repository, readRepository } from '../repository.ts';
import type { Setting } from './setting.ts';

export interface FeedbackSetting {
  thumbsRating: boolean;
  suggestEdit: boolean;
  raiseIssue: boolean;
  repository?: Repository | undefined;
}

const repository = z
  .string()
  .transform(readRepository)
  .refine((found) => found !== undefined, {
    message: 'the https address of a repository or of a folder in it, such as "https://github.com/acme/app/tree/main/docs"',
  });

/** `feedback`: the feedback form below a page, and the links to its source. */
export const feedback: Setting<FeedbackSetting> = {
  schema: about(
    z.object({
      thumbsRating: about(z.boolean(), 'Whether pages ask readers if they helped, wherever the answer can be sent.').default(
        false,
      ),
      suggestEdit: about(z.boolean(), 'Whether pages link to the editor of their file. Needs "repository".').default(false),
      raiseIssue: about(z.boolean(), 'Whether pages link to the form for a new issue. Needs "repository".').default(false),
      repository: about(
        repository,
        'URL of the documentation folder on GitHub, GitLab, Bitbucket, Gitea or Forgejo, such as "https://github.com/acme/app/tree/main/docs".',
      ).optional(),
    }),
    'Feedback on pages, and links from pages to their source.',
  ),
  fallback: { thumbsRating: false, suggestEdit: false, raiseIssue: false },
};
