import type { FontConfig, LightDark, SiteConfig } from '../docs-json/site-config.ts';
import { outsideAddress } from './address.ts';

/**
 * Replaces the addresses of other servers in the configuration (logo, favicon, background,
 * background of preview images, fonts).
 * @param place returns the address to load the file from; undefined if it must not be used, which
 *   unsets the setting
 */
export function mapOutsideFiles(
  config: SiteConfig,
  place: (address: string, kind: 'picture' | 'font') => string | undefined,
): SiteConfig {
  const mapped = (path: string, kind: 'picture' | 'font' = 'picture'): string | undefined => {
    const address = outsideAddress(path);
    return address === undefined ? path : place(address, kind);
  };
  const { logo, favicon, background, thumbnails, fonts } = config;
  const ownLogo = logo && mapBoth(logo, mapped);
  return {
    ...config,
    logo: ownLogo && { ...logo, ...ownLogo },
    favicon: favicon && mapBoth(favicon, mapped),
    background: { ...background, image: background.image && mapBoth(background.image, mapped) },
    thumbnails: thumbnails && {
      ...thumbnails,
      background: thumbnails.background && mapped(thumbnails.background),
    },
    fonts: fonts && {
      heading: fonts.heading && mapFont(fonts.heading, mapped),
      body: fonts.body && mapFont(fonts.body, mapped),
    },
  };
}

/** If only one appearance has its image, the other one uses it too. */
function mapBoth(
  { light, dark }: LightDark,
  mapped: (path: string) => string | undefined,
): LightDark | undefined {
  const [day, night] = [light && mapped(light), dark && mapped(dark)];
  if (day === undefined && night === undefined) return undefined;
  return { light: (day ?? night) as string, dark: (night ?? day) as string };
}

function mapFont(
  font: FontConfig,
  mapped: (path: string, kind: 'font') => string | undefined,
): FontConfig {
  if (font.source === undefined) return font;
  const { source, ...withoutFile } = font;
  const fontPath = mapped(source, 'font');
  return fontPath === undefined ? withoutFile : { ...font, source: fontPath };
}
