import { about } from '../annotations.ts';
import { filledText } from '../schema-parts.ts';
import type { Setting } from './setting.ts';

/** `name`: the name of the project, in the header and in browser titles. */
export const name: Setting<string> = {
  schema: about(filledText, 'The name of the project, in the header and in browser titles.'),
  fallback: 'Documentation',
  required: true,
};
