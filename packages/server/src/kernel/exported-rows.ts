/** The values of one row; missing ones are empty cells. */
export type ExportRow = Record<string, string | number | boolean | Date | null>;

/** Formats rows as one JSON object per line, or as CSV with a header line. */
export async function* asText(
  rows: AsyncIterable<ExportRow>,
  format: 'csv' | 'ndjson',
): AsyncGenerator<string> {
  let isFirst = true;
  for await (const row of rows) {
    const cells = Object.entries(row).map(([name, value]) => [name, cellOf(value)] as const);
    if (format === 'ndjson') yield `${JSON.stringify(Object.fromEntries(cells))}\n`;
    else {
      if (isFirst) yield `${csvLine(Object.keys(row))}\r\n`;
      yield `${csvLine(cells.map(([, cell]) => cell))}\r\n`;
    }
    isFirst = false;
  }
}

function cellOf(value: ExportRow[string]): string | number {
  if (typeof value === 'number') return value;
  return value instanceof Date ? value.toISOString() : String(value ?? '');
}

/**
 * What a spreadsheet may read as a formula, also after blanks and in full-width form; input of
 * readers must not run there.
 */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

/**
 * Returns one line of CSV (RFC 4180) without its line end. Every text is quoted, since some
 * spreadsheets separate at `;`.
 */
function csvLine(cells: readonly (string | number)[]): string {
  return cells
    .map((cell) => {
      if (typeof cell === 'number') return String(cell);
      return `"${(FORMULA.test(cell) ? `'${cell}` : cell).replaceAll('"', '""')}"`;
    })
    .join(',');
}
