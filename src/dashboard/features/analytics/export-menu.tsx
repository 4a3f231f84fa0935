import { download } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Menu, MenuItem } from '../../ui/overlays/menu.tsx';
import { notifyFailure } from '../../ui/overlays/notify.ts';
import { reportFilters, type Scope } from './analytics-query.ts';

const REPORTS = {
  pages: 'Pages',
  'traffic-by-day': 'Days',
  referrers: 'Sources',
  campaigns: 'Campaigns',
  machines: 'Machines',
  devices: 'Devices',
  languages: 'Languages',
  'missing-pages': 'Missing pages',
  searches: 'Searches',
};

/** Saves all rows of a report as a file; the page shows only the first ones. */
export function ExportMenu({ scope }: { scope: Scope }) {
  return (
    <Menu trigger={<Button icon="download">Export CSV</Button>}>
      {Object.entries(REPORTS).map(([report, title]) => (
        <MenuItem key={report} onSelect={() => saveReport(scope, report)}>
          {title}
        </MenuItem>
      ))}
    </Menu>
  );
}

/** Saves a report as CSV. */
export async function saveReport(scope: Scope, report: string): Promise<void> {
  try {
    const query = new URLSearchParams({ report, ...reportFilters(scope, report) });
    await download(`/v1/analytics/${scope.projectId}/export?${query}`, `${report.replace('/', '-')}.csv`);
  } catch (error) {
    notifyFailure('The report could not be saved', error);
  }
}
