import type { Schema } from '../../api/client.ts';
import type { Site } from '../../api/current.ts';
import { count, plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Card } from '../../ui/page.tsx';
import { Badge } from '../../ui/values.tsx';

/** The findings of a build by kind, each with its location and remedy. */
export function Findings({ findings }: { findings: readonly Schema<'Findings'>[] }) {
  return (
    <Card title="Report" about="Findings in the source, and how to fix them">
      <div className="divide-y divide-line">
        {findings.map(({ kind, severity, count: total, items }) => (
          <details key={kind} open={findings.length <= 3 && items.length <= 10} className="group">
            <summary className="flex cursor-pointer items-center gap-3 px-4 py-3 text-s hover:bg-sunken">
              <Icon name="chevron-right" size={14} className="text-muted transition-transform group-open:rotate-90" />
              <Badge tone={severity === 'error' ? 'danger' : severity === 'warning' ? 'warning' : 'neutral'}>{severity}</Badge>
              <code className="flex-1 font-mono text-xs">{kind}</code>
              <span className="text-muted tabular-nums">{plural(total, 'place')}</span>
            </summary>
            <ul className="flex flex-col gap-4 px-4 pt-1 pb-4 pl-11 text-s">
              {items.map((item, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the report does not change
                <li key={index}>
                  <code className="font-mono text-xs text-muted">{placeOf(item)}</code>
                  <p>{item.message}</p>
                  <p className="text-muted">{item.remedy}</p>
                  {item.places && item.places.length > 0 && (
                    <p className="text-xs text-muted">
                      also in {item.places.slice(0, 5).map(placeOf).join(', ')}
                      {item.places.length > 5 && ` and ${plural(item.places.length - 5, 'more place')}`}
                    </p>
                  )}
                </li>
              ))}
              {total > items.length && <li className="text-muted">The others are not shown.</li>}
            </ul>
          </details>
        ))}
      </div>
    </Card>
  );
}

function placeOf({ file, line, column }: { file: string; line?: number; column?: number }): string {
  return [file, line, column].filter((part) => part !== undefined).join(':');
}

const CHANGES = [
  ['added', 'Added', 'text-success'],
  ['changed', 'Changed', 'text-warning'],
  ['removed', 'Removed', 'text-danger'],
] as const;

/** The pages that a deployment changed, compared to what was live before. */
export function Changes({ changes, site }: { changes: Schema<'PageChanges'>; site: Site }) {
  const isSame = CHANGES.every(([name]) => changes[name].count === 0);
  return (
    <Card
      title="Pages"
      about={changes.comparedWith === null ? 'The first deployment of the site' : 'Compared with the previous live deployment'}
    >
      {isSame && <p className="px-4 py-3 text-s text-muted">No pages changed.</p>}
      <div className="divide-y divide-line">
        {CHANGES.filter(([name]) => changes[name].count > 0).map(([name, title, color]) => (
          <details key={name} className="group">
            <summary className="flex cursor-pointer items-center gap-3 px-4 py-3 text-s hover:bg-sunken">
              <Icon name="chevron-right" size={14} className="text-muted transition-transform group-open:rotate-90" />
              <span className={`flex-1 font-medium ${color}`}>{title}</span>
              <span className="text-muted tabular-nums">{count(changes[name].count)}</span>
            </summary>
            <ul className="columns-1 gap-8 px-4 pb-4 pl-11 font-mono text-xs leading-6 md:columns-2">
              {changes[name].pages.map((path) => (
                <li key={path} className="truncate">
                  {name === 'removed' ? (
                    path
                  ) : (
                    <a href={site.url + path} target="_blank" rel="noreferrer" className="hover:underline">
                      {path}
                    </a>
                  )}
                </li>
              ))}
            </ul>
          </details>
        ))}
      </div>
    </Card>
  );
}
