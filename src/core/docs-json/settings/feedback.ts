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

/** `feedback`: what readers are asked below a page, and the ways from it to its source. */
export const feedback: Setting<FeedbackSetting> = {
  schema: about(
    z.object({
      thumbsRating: about(z.boolean(), 'Whether readers are asked if a page helped. Shown where the answer can be sent.').default(
        false,
      ),
      suggestEdit: about(z.boolean(), 'Whether pages link to where their file is edited. Needs "repository".').default(false),
      raiseIssue: about(z.boolean(), 'Whether pages link to where an issue about them is opened. Needs "repository".').default(
        false,
      ),
      repository: about(
        repository,
        'Address of the folder of the documentation on GitHub, GitLab, Bitbucket, Gitea or Forgejo, such as "https://github.com/acme/app/tree/main/docs".',
      ).optional(),
    }),
    'What readers are asked below a page, and the links from it to its source.',
  ),
  fallback: { thumbsRating: false, suggestEdit: false, raiseIssue: false },
};
