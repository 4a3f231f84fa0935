import { cx } from './cx.ts';
import { count } from './format.ts';

const HEIGHT = 160;
/** Share of a day's width that its bar takes. */
const BAR = 0.72;

const shortDay = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

interface DayChartProps {
  label: string;
  days: readonly { day: string; human: number; ai: number }[];
}

/** Views of each day: by readers below, by AI above. Screen readers get the same as a table. */
export function DayChart({ label, days }: DayChartProps) {
  const top = roundUp(Math.max(...days.map(({ human, ai }) => human + ai), 1));
  const scale = HEIGHT / top;
  const percent = (place: number) => `${(place / days.length) * 100}%`;
  return (
    <figure aria-label={label}>
      <div className="flex justify-end gap-4 text-xs text-muted" aria-hidden="true">
        <Key className="bg-accent-text">Readers</Key>
        <Key className="bg-muted">AI</Key>
      </div>
      <div className="mt-3 flex gap-2" aria-hidden="true">
        <div className="relative flex w-8 flex-col justify-between text-right text-xs leading-none text-muted tabular-nums">
          {[top, top / 2, 0].map((value) => (
            <span key={value}>{Number.isInteger(value) ? count(value) : ''}</span>
          ))}
        </div>
        <svg aria-hidden="true" width="100%" height={HEIGHT} className="min-w-0 flex-1 overflow-visible">
          {[0, 0.5, 1].map((share) => (
            <line key={share} x1="0" x2="100%" y1={HEIGHT * share} y2={HEIGHT * share} className="stroke-line" />
          ))}
          {days.map(({ day, human, ai }, index) => (
            <g key={day} className="group">
              <title>{`${dayTitle(day)}: ${count(human)} by readers, ${count(ai)} by AI`}</title>
              <rect x={percent(index)} width={percent(1)} height={HEIGHT} className="fill-transparent group-hover:fill-hover" />
              <rect
                x={percent(index + (1 - BAR) / 2)}
                width={percent(BAR)}
                y={HEIGHT - human * scale}
                height={human * scale}
                className="fill-accent-text"
              />
              <rect
                x={percent(index + (1 - BAR) / 2)}
                width={percent(BAR)}
                y={HEIGHT - (human + ai) * scale}
                height={Math.max(ai * scale - (human > 0 ? 1 : 0), 0)}
                className="fill-muted"
              />
            </g>
          ))}
        </svg>
      </div>
      <div className="mt-1.5 ml-10 flex justify-between text-xs text-muted" aria-hidden="true">
        {[days[0], days[Math.floor(days.length / 2)], days.at(-1)].map(
          (one) => one && <span key={one.day}>{dayTitle(one.day)}</span>,
        )}
      </div>
      <table className="sr-only">
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Readers</th>
            <th scope="col">AI</th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, human, ai }) => (
            <tr key={day}>
              <th scope="row">{dayTitle(day)}</th>
              <td>{count(human)}</td>
              <td>{count(ai)}</td>
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

function dayTitle(day: string): string {
  return shortDay.format(new Date(`${day}T00:00:00Z`));
}

/** The next 2, 4, 10, 20, 40, 100, … */
function roundUp(value: number): number {
  const step = 10 ** Math.floor(Math.log10(value));
  return [2 * step, 4 * step, 10 * step].find((one) => one >= value) as number;
}
