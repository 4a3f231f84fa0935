/** What the server of a bundle may do besides serving its files. */
export const BUNDLE_SERVICES = ['assistant', 'analytics'] as const;
export type BundleService = (typeof BUNDLE_SERVICES)[number];

/**
 * Path in a bundle of the list of services. Pages ask for it, because a bundle does not know where
 * it will be served: the file in the archive is empty, as other servers and readers of the disk
 * have no services, and `docent serve-bundle` answers with its own.
 */
export const SERVICES_FILE = '_docent/services.json';

/** Returns the content of that file. */
export function servicesText(services: readonly BundleService[]): string {
  return `${JSON.stringify({ services })}\n`;
}
