import { about } from '../annotations.ts';
import { filledText } from '../schema-parts.ts';
import type { Setting } from './setting.ts';

/** `description`: one sentence about the project, for search engines and `llms.txt`. */
export const description: Setting<string | undefined> = {
  schema: about(filledText, 'One sentence about the project, for search engines and llms.txt.'),
  fallback: undefined,
};
