import type { Manifest } from './helm.ts';

// biome-ignore lint/suspicious/noExplicitAny: what Kubernetes calls a PodSpec or a Container; its models check it.
type Loose = any;

export interface FoundPod {
  manifest: Manifest;
  labels: Record<string, string>;
  pod: Loose;
}

/** Returns the pods that manifests of any kind describe. */
export function podsOf(manifests: readonly Manifest[]): FoundPod[] {
  return manifests.flatMap((manifest) => {
    if (manifest.kind === 'Pod')
      return [{ manifest, labels: manifest.metadata.labels ?? {}, pod: manifest.spec }];
    const template = manifest.spec?.template;
    return template ? [{ manifest, labels: template.metadata.labels, pod: template.spec }] : [];
  });
}

export function containersOf(pod: Loose): Loose[] {
  return pod?.containers ?? [];
}

/** Placeholders for the values of secrets, so that the settings of a process can be read. */
const secretTexts: Record<string, string> = {
  DOCENT_DATABASE_URL: 'postgres://docent:x@db:5432/docent',
  DOCENT_REDIS_URL: 'redis://:x@redis:6379',
  DOCENT_SECRET: 'x'.repeat(40),
  DOCENT_BUNDLE_URL: 'https://store.example/bundle.tar.gz',
};

/**
 * Returns the environment of a container; values from secrets are those in `secrets`, or
 * placeholders.
 */
export function environmentOf(
  container: Loose,
  secrets: Record<string, string> = {},
): Record<string, string> {
  const entries = (container.env ?? []).map(({ name, value }: { name: string; value?: string }) => [
    name,
    value ?? secrets[name] ?? secretTexts[name] ?? 'secret-of-16-or-more',
  ]);
  return Object.fromEntries(entries);
}
