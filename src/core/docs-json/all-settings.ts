import { api } from './settings/api.ts';
import {
  appearance,
  background,
  colors,
  favicon,
  fonts,
  icons,
  logo,
  styling,
  theme,
  thumbnails,
} from './settings/appearance.ts';
import { description, errors, markdown, metadata, name, variables, variations } from './settings/content.ts';
import { contextual } from './settings/contextual.ts';
import { feedback } from './settings/feedback.ts';
import { banner, footer, interaction, navbar, search } from './settings/header-footer.ts';
import { integrations } from './settings/integrations.ts';
import { redirects } from './settings/redirects.ts';
import { seo } from './settings/seo.ts';

/** All settings of docs.json except `navigation`, which `core/navigation` reads. */
export const allSettings = {
  theme,
  name,
  description,
  colors,
  logo,
  favicon,
  appearance,
  fonts,
  icons,
  background,
  styling,
  thumbnails,
  navbar,
  footer,
  banner,
  interaction,
  contextual,
  redirects,
  variables,
  metadata,
  errors,
  api,
  markdown,
  seo,
  search,
  integrations,
  variations,
  feedback,
};
