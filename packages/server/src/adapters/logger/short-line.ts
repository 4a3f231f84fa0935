/** The names of the levels of pino that a reader must notice. */
const LEVELS: Readonly<Record<number, string>> = { 40: 'warning: ', 50: 'error: ', 60: 'error: ' };
/** What only programs need, and what the line has in another form. */
const LEFT_OUT = new Set([
  'level',
  'time',
  'version',
  'msg',
  'requestId',
  'traceId',
  'spanId',
  'method',
  'host',
  'site',
  'path',
  'status',
]);
/** Paths and messages may have been written by anybody, to take over the terminal. */
const CONTROL = /[\p{Cc}\p{Cf}]/gu;

interface LogEntry {
  level: number;
  time: number;
  msg?: string;
  [field: string]: unknown;
}

/**
 * Returns a logged line of JSON as a short one for people: `09:12:41 GET docs.acme.test/start 200
 * durationMs=12`.
 */
export function shortLine(json: string): string {
  const entry = JSON.parse(json) as LogEntry;
  const { level, time, msg = '', method, host = '', path = '', status } = entry;
  const subject = msg === 'request' ? `${method} ${host}${path} ${status}` : msg;
  const fields = Object.entries(entry).flatMap(([name, value]) =>
    LEFT_OUT.has(name) || value === undefined
      ? []
      : [`${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`],
  );
  const text = [
    new Date(time).toTimeString().slice(0, 8),
    `${LEVELS[level] ?? ''}${subject}`,
    ...fields,
  ].join(' ');
  return `${text.replaceAll(CONTROL, '�')}\n`;
}
