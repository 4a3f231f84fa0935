import pg from 'pg';

const int8 = 20;
const numeric = 1700;

/** Counts and sizes fit a number; one that does not must fail rather than lose precision. */
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The database value ${text} is too large for a number.`);
  return value;
}

/** Converts database values to ours, on every engine: `bigint` and `numeric` are numbers. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format !== 'binary' && oid === int8) return parseInt8;
    if (format !== 'binary' && oid === numeric) return Number;
    return pg.types.getTypeParser(oid, format as 'text');
  }) as pg.CustomTypesConfig['getTypeParser'],
};
