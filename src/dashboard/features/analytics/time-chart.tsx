import { scaleBand, scaleLinear } from 'd3-scale';
import { cx } from '../../ui/cx.ts';
import { count, dayInUtc, hourInUtc } from '../../ui/format.ts';

const HEIGHT = 160;
/** Share of a step's width that stays empty beside its bar. */
const GAP = 0.28;

/** How a step of time is written; all of it is in UTC, as the figures are. */
const TITLES = { hour: hourInUtc, day: dayInUtc, week: dayInUtc };
const HEADS = { hour: 'Hour', day: 'Day', week: 'Week from' };
export type TimeUnit = keyof typeof TITLES;

export interface TimePoint {
  /** When the step begins. */
  at: string;
  human: number;
  ai: number;
  /** Readers and AI together, as many steps earlier. */
  before?: number;
}

interface TimeChartProps {
  label: string;
  unit: TimeUnit;
  points: readonly TimePoint[];
  /** What the bars are, below and above. */
  keys?: [string, string];
}

/** Views over time: bars of readers below and of AI above, a line of the period before. Screen readers get the same as a table. */
export function TimeChart({ label, unit, points, keys = ['Readers', 'AI'] }: TimeChartProps) {
  const top = Math.max(...points.map(({ human, ai, before = 0 }) => Math.max(human + ai, before)), 2);
  const y = scaleLinear([0, top], [HEIGHT, 0]).nice(3);
  const x = scaleBand(
    points.map(({ at }) => at),
    [0, 100],
  ).padding(GAP);
  const title = (at: string) => TITLES[unit](new Date(at));
  const hasBefore = points.some(({ before }) => before !== undefined);
  const line = points.map(({ at, before = 0 }) => `${(x(at) ?? 0) + x.bandwidth() / 2},${y(before)}`).join(' ');
  const ticks = y.ticks(3).filter(Number.isInteger);
  return (
    <figure aria-label={label}>
      <div className="flex flex-wrap justify-end gap-4 text-xs text-muted" aria-hidden="true">
        <Key className="bg-accent-text">{keys[0]}</Key>
        <Key className="bg-muted">{keys[1]}</Key>
        {hasBefore && <Key className="h-0.5 bg-warning">Period before</Key>}
      </div>
      <div className="mt-3 flex gap-2" aria-hidden="true">
        <div className="relative w-10 text-right text-xs leading-none text-muted tabular-nums">
          {ticks.map((value) => (
            <span key={value} className="absolute right-0 -translate-y-1/2" style={{ top: y(value) }}>
              {count(value)}
            </span>
          ))}
        </div>
        <svg aria-hidden="true" width="100%" height={HEIGHT} className="min-w-0 flex-1 overflow-visible">
          {ticks.map((value) => (
            <line key={value} x1="0" x2="100%" y1={y(value)} y2={y(value)} className="stroke-line" />
          ))}
          {points.map(({ at, human, ai, before }) => {
            const bar = { x: `${x(at)}%`, width: `${x.bandwidth()}%` };
            const former = before === undefined ? '' : `, ${count(before)} in the period before`;
            return (
              <g key={at} className="group">
                <title>{`${title(at)}: ${keys[0]} ${count(human)}, ${keys[1]} ${count(ai)}${former}`}</title>
                <rect {...bar} height={HEIGHT} className="fill-transparent group-hover:fill-hover" />
                <rect {...bar} y={y(human)} height={HEIGHT - y(human)} className="fill-accent-text" />
                <rect
                  {...bar}
                  y={y(human + ai)}
                  height={Math.max(y(human) - y(human + ai) - (human > 0 ? 1 : 0), 0)}
                  className="fill-muted"
                />
              </g>
            );
          })}
          {hasBefore && (
            <svg aria-hidden="true" width="100%" height={HEIGHT} viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none">
              <polyline
                points={line}
                className="pointer-events-none fill-none stroke-warning stroke-[1.5] [vector-effect:non-scaling-stroke]"
              />
            </svg>
          )}
        </svg>
      </div>
      <div className="mt-1.5 ml-12 flex justify-between text-xs text-muted" aria-hidden="true">
        {[points[0], points[Math.floor(points.length / 2)], points.at(-1)].map((one, index) => (
          // The three may be the same step.
          // biome-ignore lint/suspicious/noArrayIndexKey: their places are fixed
          <span key={index}>{one && title(one.at)}</span>
        ))}
      </div>
      <table className="sr-only">
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">{HEADS[unit]}</th>
            <th scope="col">{keys[0]}</th>
            <th scope="col">{keys[1]}</th>
            {hasBefore && <th scope="col">Period before</th>}
          </tr>
        </thead>
        <tbody>
          {points.map(({ at, human, ai, before = 0 }) => (
            <tr key={at}>
              <th scope="row">{title(at)}</th>
              <td>{count(human)}</td>
              <td>{count(ai)}</td>
              {hasBefore && <td>{count(before)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

function Key({ className, children }: { className: string; children: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span className={cx('size-2 rounded-xs', className)} />
      {children}
    </span>
  );
}
