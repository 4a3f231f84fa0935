import { api } from './settings/api.ts';
import { appearance } from './settings/appearance.ts';
import { background } from './settings/background.ts';
import { banner } from './settings/banner.ts';
import { colors } from './settings/colors.ts';
import { contextual } from './settings/contextual.ts';
import { description } from './settings/description.ts';
import { errors } from './settings/errors.ts';
import { favicon } from './settings/favicon.ts';
import { feedback } from './settings/feedback.ts';
import { fonts } from './settings/fonts.ts';
import { footer } from './settings/footer.ts';
import { icons } from './settings/icons.ts';
import { integrations } from './settings/integrations.ts';
import { interaction } from './settings/interaction.ts';
import { logo } from './settings/logo.ts';
import { markdown } from './settings/markdown.ts';
import { metadata } from './settings/metadata.ts';
import { name } from './settings/name.ts';
import { navbar } from './settings/navbar.ts';
import { redirects } from './settings/redirects.ts';
import { search } from './settings/search.ts';
import { seo } from './settings/seo.ts';
import { styling } from './settings/styling.ts';
import { theme } from './settings/theme.ts';
import { thumbnails } from './settings/thumbnails.ts';
import { variables } from './settings/variables.ts';
import { variations } from './settings/variations.ts';

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
