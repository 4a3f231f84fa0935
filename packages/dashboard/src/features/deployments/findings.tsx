import type { Schema } from '../../api/client.ts';
import { Foldable } from '../../ui/foldable.tsx';
import { plural, titleOfCode } from '../../ui/format.ts';
import { Card } from '../../ui/page.tsx';
import { Badge } from '../../ui/values.tsx';

/**
 * The findings of a build by kind, each with its location and remedy.
 * @param failure why the build failed, which these findings explain
 */
export function Findings({
  deployment,
  failure,
}: {
  deployment: Schema<'Deployment'>;
  failure: string | undefined;
}) {
  const { findings, errors, warnings } = deployment;
  const counts = [
    errors > 0 && plural(errors, 'error'),
    warnings > 0 && plural(warnings, 'warning'),
  ]
    .filter(Boolean)
    .join(', ');
  const isShort = findings.length <= 3;
  return (
    <Card
      title={failure === undefined ? 'Findings' : 'Why it failed'}
      about={failure ?? `${counts || 'Notes'} in the source, and how to fix them`}
    >
      <div className="divide-y divide-line">
        {findings.map(({ kind, severity, count: total, items }) => (
          <Foldable
            key={kind}
            isOpen={severity === 'error' ? items.length <= 50 : isShort && items.length <= 10}
            amount={plural(total, 'place')}
            title={
              <>
                <Badge
                  tone={
                    severity === 'info'
                      ? 'neutral'
                      : failure === undefined || severity === 'warning'
                        ? 'warning'
                        : 'danger'
                  }
                >
                  {severity}
                </Badge>
                <span title={kind} className="flex-1 font-medium">
                  {titleOfCode(kind)}
                </span>
              </>
            }
          >
            <ul className="flex flex-col gap-4 px-4 pt-1 pb-4 pl-11 text-s">
              {items.map((item, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the report does not change
                <Finding key={index} item={item} failure={failure} />
              ))}
              {total > items.length && (
                <li className="text-muted">
                  {plural(total - items.length, 'more place is', 'more places are')} not shown.
                </li>
              )}
            </ul>
          </Foldable>
        ))}
      </div>
    </Card>
  );
}

function Finding({ item, failure }: { item: Schema<'Finding'>; failure: string | undefined }) {
  const { places = [] } = item;
  return (
    <li>
      <code className="font-mono text-xs text-muted">{placeOf(item)}</code>
      {item.message !== failure && <p>{item.message}</p>}
      <p className="text-muted">{item.remedy}</p>
      {places.length > 0 && (
        <p className="text-xs text-muted">
          also in {places.slice(0, 5).map(placeOf).join(', ')}
          {places.length > 5 && ` and ${plural(places.length - 5, 'more place')}`}
        </p>
      )}
    </li>
  );
}

function placeOf({ file, line, column }: { file: string; line?: number; column?: number }): string {
  return [file, line, column].filter((part) => part !== undefined).join(':');
}
