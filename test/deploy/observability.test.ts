import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../support/test-app.ts';

const folder = join(import.meta.dirname, '../../deploy/observability');
const alertsFile = join(folder, 'alerts.yaml');
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
const promtool = (args: string[], input = '') =>
  spawnSync('promtool', args, { input, encoding: 'utf8' });

let app: TestApp;
let metrics: string;
beforeAll(async () => {
  app = await openTestApp();
  metrics = (await app.app.inject({ method: 'GET', url: '/metrics' })).body;
});
afterAll(() => app.close());

const dashboard = JSON.parse(readFileSync(join(folder, 'dashboard.json'), 'utf8')) as {
  panels: { title: string; targets: { expr: string }[] }[];
};
const queries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

test('alerts and the dashboard query only metrics that a process exports', () => {
  const exported = new Set([...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  const texts = [readFileSync(alertsFile, 'utf8'), ...queries];
  const names = texts.flatMap((text) =>
    [...text.matchAll(/\bdocent_\w+/g)].map(([name]) => name.replace(/_(?:bucket|count|sum)$/, '')),
  );
  expect(new Set(names).size).toBeGreaterThan(10);
  expect(names.filter((name) => !exported.has(name))).toEqual([]);
});

test('no metric has a label that Prometheus sets itself, which it would rename', () => {
  expect(metrics).toContain('docent_');
  const texts = [readFileSync(alertsFile, 'utf8'), ...queries];
  expect(texts.filter((text) => /by \((?:job|instance)\) \(docent_/.test(text))).toEqual([]);
});

describe.skipIf(!hasPromtool)('promtool', () => {
  test('accepts the alerts, every query of the dashboard, and the metrics with their names', () => {
    const rules = promtool(['check', 'rules', alertsFile]);
    expect([rules.status, rules.stderr]).toEqual([0, '']);
    expect(rules.stdout).toContain('6 rules found');
    const scratch = mkdtempSync(join(tmpdir(), 'docent-rules-'));
    const asRules = queries.map((expr, index) => ({ record: `panel:${index}`, expr }));
    // JSON is YAML.
    writeFileSync(
      join(scratch, 'panels.yaml'),
      JSON.stringify({ groups: [{ name: 'panels', rules: asRules }] }),
    );
    const panels = promtool(['check', 'rules', join(scratch, 'panels.yaml')]);
    rmSync(scratch, { recursive: true });
    expect([panels.status, panels.stderr]).toEqual([0, '']);
    // Those of Node.js itself are named by its library.
    const own = metrics.replace(/^(?:# \w+ )?(?:nodejs|process)_.*\n/gm, '');
    const checked = promtool(['check', 'metrics'], own);
    expect([checked.status, checked.stdout, checked.stderr]).toEqual([0, '', '']);
  });

  test('fires the alert of a dependency that is down, and not that of one that is up', () => {
    const scratch = mkdtempSync(join(tmpdir(), 'docent-alerts-'));
    const series = (dependency: string, values: string) => ({
      series: `docent_dependency_up{dependency="${dependency}",instance="a"}`,
      values,
    });
    const cases = {
      rule_files: [alertsFile],
      evaluation_interval: '1m',
      tests: [
        {
          interval: '1m',
          input_series: [series('database', '0x10'), series('blobs', '1x10')],
          alert_rule_test: [
            {
              eval_time: '5m',
              alertname: 'DocentDependencyDown',
              exp_alerts: [
                {
                  exp_labels: { severity: 'critical', dependency: 'database' },
                  exp_annotations: {
                    summary: 'database is unavailable',
                    description:
                      'Pages in memory are served; everything that needs database answers 503, and jobs wait.',
                  },
                },
              ],
            },
          ],
        },
      ],
    };
    writeFileSync(join(scratch, 'test.yaml'), JSON.stringify(cases));
    const result = promtool(['test', 'rules', join(scratch, 'test.yaml')]);
    rmSync(scratch, { recursive: true });
    expect([result.status, result.stdout.includes('SUCCESS')]).toEqual([0, true]);
  });
});
