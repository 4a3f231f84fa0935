import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chartValuesSchema } from './chart-values.ts';

// Generates the schema of the chart's values from the settings; with --check, only reports whether it is up to date.
const file = fileURLToPath(new URL('../deploy/helm/docent/values.schema.json', import.meta.url));
const text = `${JSON.stringify(chartValuesSchema(), undefined, 2)}\n`;
if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
} else if (readFileSync(file, 'utf8') !== text) {
  process.stdout.write(
    'deploy/helm/docent/values.schema.json does not match the settings; run node scripts/build-chart-schema.ts\n',
  );
  process.exitCode = 1;
}
