import { scaleBand, scaleLinear } from 'd3-scale';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react';
import { cx } from './cx.ts';
import { count, dayInUtc, hourInUtc } from './format.ts';

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
  /** In pixels. */
  height?: number;
}

/**
 * Views over time: bars of readers below and of AI above, a dotted line of the period before. A
 * step shows its figures under the pointer, a finger, or the arrow keys. Screen readers get the
 * same as a table.
 */
export function TimeChart({
  label,
  unit,
  points,
  keys = ['Readers', 'AI'],
  height = 160,
}: TimeChartProps) {
  const [chosen, choose] = useState<number>();
  const top = Math.max(
    ...points.map(({ human, ai, before = 0 }) => Math.max(human + ai, before)),
    2,
  );
  const y = scaleLinear([0, top], [height, 0]).nice(3);
  const x = scaleBand(
    points.map(({ at }) => at),
    [0, 100],
  ).padding(GAP);
  const middleOf = (at: string) => (x(at) ?? 0) + x.bandwidth() / 2;
  const title = (at: string) => TITLES[unit](new Date(at));
  const hasBefore = points.some(({ before }) => before !== undefined);
  const line = points.map(({ at, before = 0 }) => `${middleOf(at)},${y(before)}`).join(' ');
  const ticks = y.ticks(3).filter(Number.isInteger);
  const point = chosen === undefined ? undefined : points[chosen];

  const onPointer = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const index = Math.floor(((clientX - left) / width) * points.length);
    choose(Math.min(Math.max(index, 0), points.length - 1));
  };
  const onKey = (event: KeyboardEvent) => {
    const last = points.length - 1;
    const from = chosen ?? last;
    const next = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[event.key];
    if (event.key === 'Escape') choose(undefined);
    if (next === undefined) return;
    event.preventDefault();
    choose(Math.min(Math.max(next, 0), last));
  };
  return (
    <figure aria-label={label}>
      <div className="flex flex-wrap justify-end gap-4 text-xs text-muted" aria-hidden="true">
        <Key className="bg-chart">{keys[0]}</Key>
        <Key className="bg-chart-other">{keys[1]}</Key>
        {hasBefore && (
          <Key className="h-0 w-4 rounded-none border-t-2 border-dotted border-text">
            Period before
          </Key>
        )}
      </div>
      <div className="mt-3 flex gap-2">
        <div
          className="relative w-10 text-right text-xs leading-none text-muted tabular-nums"
          aria-hidden="true"
        >
          {ticks.map((value) => (
            <span
              key={value}
              className="absolute right-0 -translate-y-1/2"
              style={{ top: y(value) }}
            >
              {count(value)}
            </span>
          ))}
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: it is no form field */}
        <div
          role="group"
          aria-label={`${label}: use the arrow keys to read each step`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move in it
          tabIndex={0}
          className="relative min-w-0 flex-1 touch-pan-y rounded-md"
          onKeyDown={onKey}
          onBlur={() => choose(undefined)}
          onPointerDown={onPointer}
          onPointerMove={onPointer}
          // A finger that is lifted leaves what it chose.
          onPointerLeave={({ pointerType }) => pointerType === 'mouse' && choose(undefined)}
        >
          <svg aria-hidden="true" width="100%" height={height} className="block overflow-visible">
            {ticks.map((value) => (
              <line
                key={value}
                x1="0"
                x2="100%"
                y1={y(value)}
                y2={y(value)}
                className="stroke-line"
              />
            ))}
            {point && (
              <line
                x1={`${middleOf(point.at)}%`}
                x2={`${middleOf(point.at)}%`}
                y1="0"
                y2={height}
                className="stroke-line-strong"
                data-cross-hair
              />
            )}
            {points.map(({ at, human, ai }, index) => {
              const bar = { x: `${x(at)}%`, width: `${x.bandwidth()}%` };
              return (
                <g
                  key={at}
                  className={cx(chosen !== undefined && chosen !== index && 'opacity-50')}
                >
                  <rect {...bar} y={y(human)} height={height - y(human)} className="fill-chart" />
                  <rect
                    {...bar}
                    y={y(human + ai)}
                    height={Math.max(y(human) - y(human + ai) - (human > 0 ? 1 : 0), 0)}
                    className="fill-chart-other"
                  />
                </g>
              );
            })}
            {hasBefore && (
              <svg
                aria-hidden="true"
                width="100%"
                height={height}
                viewBox={`0 0 100 ${height}`}
                preserveAspectRatio="none"
              >
                <polyline
                  points={line}
                  strokeDasharray="0.1 4"
                  strokeLinecap="round"
                  className="pointer-events-none fill-none stroke-text stroke-2 [vector-effect:non-scaling-stroke]"
                />
              </svg>
            )}
          </svg>
          <Tooltip place={point && middleOf(point.at)}>
            {point && (
              <>
                <span className="block font-medium">{title(point.at)}</span>
                <Value className="bg-chart" name={keys[0]} value={point.human} />
                <Value className="bg-chart-other" name={keys[1]} value={point.ai} />
                {point.before !== undefined && (
                  <Value
                    className="h-0 rounded-none border-t-2 border-dotted border-text"
                    name="Period before"
                    value={point.before}
                  />
                )}
              </>
            )}
          </Tooltip>
        </div>
      </div>
      <div className="mt-1.5 ml-12 flex justify-between text-xs text-muted" aria-hidden="true">
        {[points[0], points[Math.floor(points.length / 2)], points.at(-1)].map(
          (axisPoint, index) => (
            // The three may be the same step.
            // biome-ignore lint/suspicious/noArrayIndexKey: their places are fixed
            <span key={index}>{axisPoint && title(axisPoint.at)}</span>
          ),
        )}
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

const TOOLTIP = 'popup pointer-events-none absolute top-0 z-10 block w-44 p-2.5 text-xs';

/**
 * The figures of a step, which are read out when they change. @param place in per cent from the
 * left
 */
function Tooltip({ place, children }: { place: number | undefined; children: ReactNode }) {
  const isRight = place !== undefined && place > 50;
  return (
    <output
      aria-live="polite"
      // It stays in the document, so that a change of its text is read out.
      className={place === undefined ? 'sr-only' : cx(TOOLTIP, isRight && '-translate-x-full')}
      style={place === undefined ? undefined : { left: `calc(${place}% + ${isRight ? -8 : 8}px)` }}
    >
      {children}
    </output>
  );
}

function Value({ className, name, value }: { className: string; name: string; value: number }) {
  return (
    <span className="mt-1 flex items-center gap-1.5">
      <span className={cx('size-2 rounded-xs', className)} />
      <span className="flex-1 text-muted">{name} </span>
      <span className="tabular-nums">{count(value)}</span>
    </span>
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
