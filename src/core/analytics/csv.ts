/** A cell that a spreadsheet would interpret as a formula; input of readers must not run there. */
const FORMULA = /^[=+\-@\t\r]/;

/** Returns one line of CSV (RFC 4180) without its line end. */
export function csvLine(values: readonly (string | number)[]): string {
  return values
    .map((value) => {
      if (typeof value === 'number') return String(value);
      const safe = FORMULA.test(value) ? `'${value}` : value;
      return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
    })
    .join(',');
}
