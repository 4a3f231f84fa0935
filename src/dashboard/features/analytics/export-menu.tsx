import { download } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { notifyFailure } from '../../ui/toast.tsx';
import type { Scope } from './analytics-query.ts';

const REPORTS = {
  views: 'Pages',
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
export async function saveReport({ projectId, asked }: Scope, report: string): Promise<void> {
  try {
    await download(`/v1/analytics/${projectId}/export?${new URLSearchParams({ report, ...asked })}`, `${report}.csv`);
  } catch (error) {
    notifyFailure('The report is not saved', error);
  }
}
