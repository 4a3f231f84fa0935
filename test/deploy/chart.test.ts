import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadBundleConfig } from '@docent/server/kernel/config/bundle-config.ts';
import { environment, loadConfig } from '@docent/server/kernel/config/config.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { bundleSettings } from '../../packages/server/src/kernel/config/bundle-settings.ts';
import { buildMemoryMb } from '../../packages/server/src/kernel/config/publish-settings.ts';
import {
  chartFolder,
  type HelmVersion,
  hasHelm,
  helmVersions,
  type Manifest,
  type Rendered,
  renderChart,
  runHelm,
} from '../support/helm.ts';
import { kubernetesFaults } from '../support/kubernetes-faults.ts';
import { containersOf, environmentOf, podsOf } from '../support/manifests.ts';
import { chartCases, documentedValues, refusedCases } from './chart-cases.ts';

const schema = JSON.parse(readFileSync(`${chartFolder}/values.schema.json`, 'utf8'));
const defaults = parse(readFileSync(`${chartFolder}/values.yaml`, 'utf8'));

/** Megabytes of a quantity such as `2Gi` or `2110M`. */
function megabytesOf(quantity: string): number {
  const [, number = '', unit = ''] = /^([\d.]+)(\w+)$/.exec(quantity) ?? [];
  const bytes: Record<string, number> = { M: 1e6, Mi: 2 ** 20, Gi: 2 ** 30 };
  return (Number(number) * (bytes[unit] ?? Number.NaN)) / 2 ** 20;
}

/** Kinds that are not Kubernetes' own, for which there are no models. */
const foreign = new Set(['ServiceMonitor', 'PrometheusRule']);

it('the models of Kubernetes detect an unknown field, a missing field and a wrong type', async () => {
  const pod = (spec: object): Manifest => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'x' },
    spec,
  });
  const container = { name: 'x', image: 'x:1' };
  expect(await kubernetesFaults(pod({ containers: [container] }))).toEqual([]);
  expect(await kubernetesFaults(pod({ containers: [{ ...container, replica: 1 }] }))).toEqual([
    'Pod/x: there is no field /spec/containers/0/replica',
  ]);
  expect(await kubernetesFaults(pod({}))).toEqual([expect.stringContaining('containers')]);
  expect(
    await kubernetesFaults(
      pod({ containers: [{ ...container, ports: [{ containerPort: 'http' }] }] }),
    ),
  ).toEqual([expect.stringContaining('integer')]);
});

it('every setting can be set with the chart: by its name, or by a value that the chart has for it', () => {
  const templates = readdirSync(`${chartFolder}/templates`, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => readFileSync(`${chartFolder}/templates/${name}`, 'utf8'))
    .join('');
  const settings = Object.keys({ ...environment.shape, ...bundleSettings });
  // The values of a static export are what that file contains.
  const exempt = new Set(['DOCENT_BUNDLE_CONFIG']);
  const missing = settings.filter(
    (name) =>
      !exempt.has(name) &&
      !(name in schema.properties.secretConfig.properties) &&
      !new RegExp(`${name}\\b`).test(templates),
  );
  expect(missing).toEqual([]);
});

it('every value in the schema of the chart has a default', () => {
  const faults: string[] = [];
  const compare = (values: Record<string, unknown>, at: { properties?: object }, path: string) => {
    const properties = (at.properties ?? {}) as Record<string, { properties?: object }>;
    for (const [name, inner] of Object.entries(properties)) {
      const value = values[name];
      if (
        name === 'global' ||
        path === '.config' ||
        path === '.secretConfig' ||
        path.endsWith('.resources')
      )
        continue;
      if (value === undefined) faults.push(`${path}.${name} has no default`);
      else if (inner.properties)
        compare(value as Record<string, unknown>, inner, `${path}.${name}`);
    }
  };
  compare(defaults, schema, '');
  expect(faults).toEqual([]);
});

describe.skipIf(!hasHelm)('the chart', () => {
  const names = Object.keys(chartCases);
  const results = new Map<string, Rendered>();
  const keyOf = (name: string, version: HelmVersion) => `${name}, Helm ${version}`;
  const rendered = (name: string, version: HelmVersion = 4): Rendered =>
    results.get(keyOf(name, version)) as Rendered;

  beforeAll(async () => {
    for (const name of names) {
      for (const version of helmVersions)
        results.set(keyOf(name, version), await renderChart(chartCases[name] ?? {}, version));
    }
  });

  it('has documented examples', () => {
    expect(documentedValues().length).toBeGreaterThan(2);
  });

  it.each(helmVersions)('passes the lint of Helm %i', async (version) => {
    const result = await runHelm(version, ['lint', '--strict', chartFolder]);
    expect(`${result.output}${result.error}`).toContain('0 chart(s) failed');
    expect(result.ok).toBe(true);
  });

  describe.each(helmVersions)('with Helm %i', (version) => {
    it.each(documentedValues())('renders the documented %s', async (_, values) => {
      expect((await renderChart({ values }, version)).error).toBe('');
    });

    it.each(refusedCases)('rejects %s', async (_, values, expected) => {
      expect((await renderChart({ values }, version)).error).toMatch(expected);
    });

    it('takes numbers that `--set` reads from the version of a bundle and the tag of the image', async () => {
      const set =
        'staticExport.enabled=true,staticExport.bundleUrl=https://x/y,staticExport.version=20261128,image.tag=2';
      const { output, error } = await runHelm(version, [
        'template',
        'acme',
        chartFolder,
        '--set',
        set,
      ]);
      expect(error).toBe('');
      expect(output).toContain('name: DOCENT_BUNDLE_VERSION\n              value: "20261128"');
      expect(output).toMatch(/image: docent:2\n/);
      const staticExport = { enabled: true, bundleUrl: 'https://x/y', version: 20_261_128 };
      const { manifests } = await renderChart(
        { values: { staticExport, image: { tag: 20_261_128 } } },
        version,
      );
      const container = containersOf(podsOf(manifests)[0]?.pod)[0];
      expect(container.image).toBe('docent:20261128');
      expect(environmentOf(container).DOCENT_BUNDLE_VERSION).toBe('20261128');
    });
  });

  describe.each(names)('with %s', (name) => {
    it('renders the same with Helm 3 and 4', () => {
      expect(rendered(name).error).toBe('');
      expect(rendered(name).notes).toContain('kubectl');
      // The passwords that the chart generates differ each time.
      const withoutSecrets = ({ manifests, ...other }: Rendered) => ({
        ...other,
        manifests: manifests.map((manifest) => ({
          ...manifest,
          stringData: Object.keys(manifest.stringData ?? {}),
        })),
      });
      expect(withoutSecrets(rendered(name, 3))).toEqual(withoutSecrets(rendered(name, 4)));
    });

    it('renders valid Kubernetes objects with unique names in the namespace of the release', async () => {
      const { manifests } = rendered(name);
      const known = manifests.filter(({ kind }) => !foreign.has(kind));
      expect((await Promise.all(known.map(kubernetesFaults))).flat()).toEqual([]);
      const ids = manifests.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
      expect(new Set(ids).size).toBe(ids.length);
      expect(
        manifests.every(
          ({ metadata }) => metadata.namespace === 'docs' && metadata.name.length <= 63,
        ),
      ).toBe(true);
    });

    it('runs every container with minimal privileges, resource limits and a tagged image', () => {
      for (const { manifest, pod } of podsOf(rendered(name).manifests)) {
        const where = `${manifest.kind}/${manifest.metadata.name}`;
        expect(pod.automountServiceAccountToken, where).toBe(false);
        expect(pod.enableServiceLinks, where).toBe(false);
        expect(pod.securityContext, where).toMatchObject({
          runAsNonRoot: true,
          seccompProfile: { type: 'RuntimeDefault' },
        });
        for (const container of containersOf(pod)) {
          expect(container.resources, where).toMatchObject({
            requests: { cpu: expect.anything(), memory: expect.anything() },
          });
          expect(container.resources.limits, where).toMatchObject({ memory: expect.anything() });
          expect(container.securityContext, where).toEqual({
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          });
          expect(container.image, where).toMatch(/[:@][\w.:-]+$/);
          expect(container.image, where).not.toMatch(/:latest$/);
        }
      }
    });

    it('mounts only its own volumes, and stores data in subfolders of them', () => {
      for (const { manifest, pod } of podsOf(rendered(name).manifests)) {
        const claimed = (manifest.spec.volumeClaimTemplates ?? []).map(
          (claim: Manifest) => claim.metadata.name,
        );
        const volumes = [
          ...(pod.volumes ?? []).map((volume: { name: string }) => volume.name),
          ...claimed,
        ];
        for (const container of containersOf(pod)) {
          const mounts: { name: string; mountPath: string }[] = container.volumeMounts ?? [];
          expect(new Set(volumes)).toEqual(
            new Set([...volumes, ...mounts.map((mount) => mount.name)]),
          );
          const env = environmentOf(container);
          for (const folder of [
            env.DOCENT_DATA,
            env.DOCENT_BLOBS_FOLDER,
            env.DOCENT_BUNDLE_CACHE,
          ].filter(Boolean))
            expect(mounts.some((mount) => folder?.startsWith(`${mount.mountPath}/`))).toBe(true);
        }
      }
    });

    it('refers only to existing pods, ports, services, claims and secrets', () => {
      const { manifests } = rendered(name);
      const pods = podsOf(manifests);
      const selected = (labels: Record<string, string>) =>
        pods.filter(({ labels: own }) =>
          Object.entries(labels).every(([key, value]) => own[key] === value),
        );
      for (const { kind, metadata, spec } of manifests) {
        const where = `${kind}/${metadata.name}`;
        if (kind === 'Service') {
          const [found] = selected(spec.selector);
          const ports = containersOf(found?.pod).flatMap((container) => container.ports ?? []);
          for (const { targetPort } of spec.ports)
            expect(
              ports.map((port) => port.name),
              where,
            ).toContain(targetPort);
        }
        if (kind === 'Deployment' || kind === 'StatefulSet')
          expect(
            selected(spec.selector.matchLabels).map(({ manifest }) => manifest.metadata.name),
            where,
          ).toEqual([metadata.name]);
        if (kind === 'PodDisruptionBudget')
          expect(selected(spec.selector.matchLabels), where).toHaveLength(1);
        if (kind === 'NetworkPolicy')
          expect(selected(spec.podSelector.matchLabels), where).toHaveLength(1);
        if (kind === 'HorizontalPodAutoscaler') {
          const target = manifests.find(
            (one) =>
              one.kind === spec.scaleTargetRef.kind &&
              one.metadata.name === spec.scaleTargetRef.name,
          );
          expect(target, where).toBeDefined();
          expect(target?.spec, where).not.toHaveProperty('replicas');
        }
        if (kind === 'Ingress') {
          const services = manifests
            .filter((one) => one.kind === 'Service')
            .map((one) => one.metadata.name);
          for (const rule of spec.rules)
            expect(services).toContain(rule.http.paths[0].backend.service.name);
        }
      }
      const own = manifests.filter(({ kind }) => kind === 'Secret');
      for (const { manifest, pod } of pods) {
        for (const { valueFrom } of containersOf(pod).flatMap((container) => container.env ?? [])) {
          if (!valueFrom?.secretKeyRef?.name.startsWith('acme-docent-')) continue;
          const secret = own.find(({ metadata }) => metadata.name === valueFrom.secretKeyRef.name);
          expect(secret?.stringData, manifest.metadata.name).toHaveProperty(
            valueFrom.secretKeyRef.key,
          );
          // A pre-install hook cannot use a secret of the release, which does not exist yet.
          expect(manifest.metadata.annotations?.['helm.sh/hook'] ?? '').not.toContain(
            'pre-install',
          );
        }
        for (const { persistentVolumeClaim: claim } of pod.volumes ?? []) {
          if (!claim?.claimName.startsWith('acme-docent-')) continue;
          expect(manifests.map(({ kind, metadata }) => `${kind}/${metadata.name}`)).toContain(
            `PersistentVolumeClaim/${claim.claimName}`,
          );
        }
      }
    });

    it('configures each process with valid settings, each once, and a grace period longer than its draining', () => {
      for (const { pod } of podsOf(rendered(name).manifests)) {
        for (const container of containersOf(pod).filter(({ args }) =>
          ['serve', 'worker', 'migrate', 'serve-bundle'].includes(args?.[0]),
        )) {
          const names: string[] = container.env.map((one: { name: string }) => one.name);
          expect(new Set(names).size, names.join()).toBe(names.length);
          const env = environmentOf(container);
          if (container.args[0] === 'serve-bundle')
            expect(() => loadBundleConfig(env)).not.toThrow();
          else expect(() => loadConfig(env)).not.toThrow();
          expect(Number(env.DOCENT_DRAIN_SECONDS ?? 0)).toBeLessThan(
            pod.terminationGracePeriodSeconds - 20,
          );
        }
      }
    });

    it('limits the pods that build to what their builds and the server need', () => {
      for (const { pod } of podsOf(rendered(name).manifests)) {
        for (const container of containersOf(pod)) {
          const [command, flag] = container.args ?? [];
          if (command !== 'worker' && !(command === 'serve' && flag !== '--no-worker')) continue;
          const env = environmentOf(container);
          const { perProcess } = loadConfig(env).publishing;
          const limitMb = megabytesOf(container.resources.limits.memory);
          const buildMb = Number(env.DOCENT_BUILD_MEMORY_MB ?? buildMemoryMb(limitMb, perProcess));
          expect(buildMb * perProcess + 512).toBeLessThanOrEqual(limitMb);
        }
      }
    });

    it('writes secrets only into objects of the kind Secret', () => {
      const { manifests } = rendered(name);
      const secrets = manifests.flatMap(({ stringData }) => Object.values(stringData ?? {}));
      const others = JSON.stringify(manifests.filter(({ kind }) => kind !== 'Secret'));
      for (const secret of secrets) expect(others).not.toContain(secret);
    });
  });

  it('runs one pod with the embedded database by default, and stops it before its replacement starts', () => {
    const deployments = rendered('nothing set').manifests.filter(
      ({ kind }) => kind === 'Deployment',
    );
    expect(deployments.map(({ spec }) => [spec.replicas, spec.strategy])).toEqual([
      [1, { type: 'Recreate' }],
    ]);
    expect(containersOf(podsOf(deployments)[0]?.pod)[0].args).toEqual(['serve']);
    const kinds = rendered('nothing set').manifests.map(({ kind }) => kind);
    expect(kinds).toContain('PersistentVolumeClaim');
    expect(kinds).not.toContain('PodDisruptionBudget');
  });

  it('runs only the bundle server for a static export, and replaces its pods when the link changes', async () => {
    const { manifests } = rendered('a static export');
    expect(
      podsOf(manifests).flatMap(({ pod }) => containersOf(pod).map(({ args }) => args?.[0])),
    ).toContain('serve-bundle');
    expect(manifests.some(({ kind }) => kind === 'Job' || kind === 'Secret')).toBe(false);
    const templateOf = (one: Rendered) =>
      one.manifests.find(({ kind }) => kind === 'StatefulSet')?.spec.template;
    const env = environmentOf(containersOf(templateOf(rendered('a static export')).spec)[0]);
    expect(env.DOCENT_BUNDLE_URL).toBe(
      'https://store.example/a.tar.gz?expires=1&signature=a%2Bb,c',
    );
    expect(env.DOCENT_BUNDLE_VERSION).toBe('2026-11');
    const staticExport = {
      enabled: true,
      bundleUrl: 'https://store.example/b.tar.gz',
      version: '2026-11',
    };
    const next = await renderChart({ values: { staticExport }, isUpgrade: true });
    expect(templateOf(next)).not.toEqual(templateOf(rendered('a static export')));
  });

  it('configures the pods of a static export to check signatures, and Prometheus to scrape their metrics', () => {
    const { manifests } = rendered('a static export with a signature and metrics');
    const env = environmentOf(containersOf(podsOf(manifests)[0]?.pod)[0]);
    expect(env).toMatchObject({
      DOCENT_BUNDLE_PUBLIC_KEY: 'RWQtKey',
      DOCENT_BUNDLE_SIGNATURE: 'https://store.example/a.tar.gz.minisig',
      DOCENT_BUNDLE_METRICS: 'true',
    });
    const monitor = manifests.find(({ kind }) => kind === 'ServiceMonitor');
    const component = manifests.find(({ kind }) => kind === 'Service')?.metadata.labels?.[
      'app.kubernetes.io/component'
    ];
    expect(monitor?.spec.selector.matchExpressions[0].values).toEqual([component]);
    expect(
      environmentOf(containersOf(podsOf(rendered('a static export').manifests)[0]?.pod)[0]),
    ).not.toHaveProperty('DOCENT_BUNDLE_METRICS');
  });

  it('configures Prometheus to send the token that web and worker pods require', () => {
    const { manifests } = rendered('everything set');
    const [endpoint] =
      manifests.find(({ kind }) => kind === 'ServiceMonitor')?.spec.endpoints ?? [];
    expect(endpoint).toMatchObject({
      path: '/metrics',
      authorization: { credentials: { name: 'metrics', key: 'token' } },
    });
    for (const { pod } of podsOf(manifests).filter(({ labels }) =>
      /web|worker/.test(labels['app.kubernetes.io/component'] ?? ''),
    ))
      expect(environmentOf(containersOf(pod)[0])).toHaveProperty('DOCENT_METRICS_TOKEN');
  });

  it('installs the alerts and the dashboard of deploy/observability, unchanged, with the labels that find them', () => {
    const { manifests } = rendered('everything set');
    const file = (name: string) =>
      readFileSync(`${chartFolder}/../../observability/${name}`, 'utf8');
    const rule = manifests.find(({ kind }) => kind === 'PrometheusRule');
    expect(rule?.metadata.labels).toMatchObject({ release: 'prometheus' });
    expect(rule?.spec).toEqual(parse(file('alerts.yaml')));
    const dashboard = manifests.find(({ kind }) => kind === 'ConfigMap');
    expect(dashboard?.metadata.labels).toMatchObject({ grafana_dashboard: '1' });
    expect(JSON.parse(dashboard?.data?.['docent.json'] ?? '')).toEqual(
      JSON.parse(file('dashboard.json')),
    );
    const kinds = rendered('nothing set').manifests.map(({ kind }) => kind);
    expect(kinds).not.toContain('PrometheusRule');
    expect(kinds).not.toContain('ConfigMap');
  });

  it.skipIf(spawnSync('promtool', ['--version']).status !== 0)(
    'installs alerts that promtool accepts',
    () => {
      const rule = rendered('everything set').manifests.find(
        ({ kind }) => kind === 'PrometheusRule',
      );
      const folder = mkdtempSync(join(tmpdir(), 'docent-rules-'));
      writeFileSync(join(folder, 'rules.yaml'), JSON.stringify(rule?.spec));
      const { status, stdout, stderr } = spawnSync(
        'promtool',
        ['check', 'rules', join(folder, 'rules.yaml')],
        {
          encoding: 'utf8',
        },
      );
      rmSync(folder, { recursive: true });
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout).toContain('6 rules found');
    },
  );

  it('has Prometheus scrape under the name by which the alerts find a process, whatever the release is called', () => {
    const monitor = rendered('everything set').manifests.find(
      ({ kind }) => kind === 'ServiceMonitor',
    );
    expect(monitor?.spec.endpoints[0].relabelings).toContainEqual({
      targetLabel: 'job',
      replacement: 'docent',
    });
  });

  it('replaces the pods of a static export when the link in its secret changes', async () => {
    const values = { staticExport: { enabled: true, bundleUrlSecret: { name: 'link' } } };
    const secret = (text: string) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'link', namespace: 'docs' },
      data: { bundleUrl: text },
    });
    const renders = await Promise.all(
      ['YQ==', 'Yg=='].map((text) => renderChart({ values, objects: [secret(text)] })),
    );
    const templates = renders.map(
      ({ manifests }) =>
        manifests.find(({ kind }) => kind === 'StatefulSet')?.spec.template.metadata.annotations[
          'docent/bundle-link'
        ],
    );
    expect(templates[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(templates[0]).not.toBe(templates[1]);
  });

  it('keeps its generated passwords on upgrades', async () => {
    const values = { ...chartCases['everything bundled']?.values };
    const data = (password: string) => ({
      password: Buffer.from(password).toString('base64'),
      secret: Buffer.from(password).toString('base64'),
    });
    const objects = ['postgresql', 'valkey', 'signing'].map((name) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: `acme-docent-${name}`, namespace: 'docs' },
      data: data(`kept-by-${name}`),
    }));
    const upgraded = await renderChart({ values, objects, isUpgrade: true });
    const secrets = upgraded.manifests.filter(({ kind }) => kind === 'Secret');
    expect(
      secrets.map(({ stringData }) => stringData?.password ?? stringData?.secret).sort(),
    ).toEqual(['kept-by-postgresql', 'kept-by-signing', 'kept-by-valkey']);
  });

  it('writes large numbers in full', () => {
    const { manifests } = rendered('everything set');
    const env = environmentOf(
      containersOf(
        podsOf(manifests).find(({ labels }) => labels['app.kubernetes.io/component'] === 'web')
          ?.pod,
      )[0],
    );
    expect(env.DOCENT_LIMIT_ASSISTANT_PER_ORGANIZATION_HOUR).toBe('1000000');
  });
});
