/**
 * Makes the sandbox deterministic on every machine: no clock, no randomness, no time zone. Runs before any of the author's code.
 */
const MOMENT = Date.UTC(2000, 0, 1);
const TrueDate = Date;

function dateAt(parts: unknown[]): number {
  if (parts.length === 0) return MOMENT;
  if (parts.length === 1) return new TrueDate(parts[0] as string).getTime();
  return TrueDate.UTC(...(parts as [number, number]));
}

function FixedDate(this: unknown, ...parts: unknown[]): unknown {
  if (!new.target) return new TrueDate(MOMENT).toUTCString();
  return Reflect.construct(TrueDate, [dateAt(parts)], new.target);
}

const world = globalThis as unknown as Record<string, unknown>;
FixedDate.prototype = TrueDate.prototype;
Object.assign(FixedDate, { now: () => MOMENT, UTC: TrueDate.UTC, parse: TrueDate.parse });
(TrueDate.prototype as unknown as Record<string, unknown>).constructor = FixedDate;
world.Date = FixedDate;

const dates = TrueDate.prototype as unknown as Record<string, unknown>;
for (const part of ['FullYear', 'Month', 'Date', 'Day', 'Hours', 'Minutes', 'Seconds', 'Milliseconds']) {
  dates[`get${part}`] = dates[`getUTC${part}`];
  if (part !== 'Day') dates[`set${part}`] = dates[`setUTC${part}`];
}
dates.getTimezoneOffset = () => 0;
Object.assign(dates, { toString: dates.toUTCString });

let seed = 1;
Math.random = () => {
  seed = (seed * 48271) % 2147483647;
  return seed / 2147483647;
};

const nothing = (): void => {};
const console: Record<string, unknown> = {};
for (const name of ['log', 'info', 'warn', 'error', 'debug', 'trace', 'group', 'groupEnd', 'table', 'time', 'timeEnd', 'assert'])
  console[name] = nothing;
world.console = console;
// Timers can be set, but they never fire.
for (const name of ['setTimeout', 'setInterval', 'requestAnimationFrame', 'requestIdleCallback', 'queueMicrotask'])
  world[name] = () => 0;
for (const name of ['clearTimeout', 'clearInterval', 'cancelAnimationFrame', 'cancelIdleCallback']) world[name] = nothing;
world.self = globalThis;
