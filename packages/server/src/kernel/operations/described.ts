import * as z from 'zod';

// The usual fields of the API, each with the description that its documentation shows.

/** A time in a response: use cases return a `Date`, readers get ISO 8601 in UTC. */
export const isoTime = z
  .codec(z.iso.datetime(), z.date(), {
    decode: (text) => new Date(text),
    encode: (date) => date.toISOString(),
  })
  .meta({ type: 'string', format: 'date-time', pattern: z.regexes.datetime({}).source });

/** A field that may be `null`. */
export const orNull = <Type extends z.ZodType>(type: Type, description: string) =>
  type.nullable().describe(description);

/** A field that may be absent. */
export const optional = <Type extends z.ZodType>(type: Type, description: string) =>
  type.optional().describe(description);

/** Fields of a type: `text('…')`, `text.orNull('…')`, `text.optional('…')`. */
function fieldsOf<Type extends z.ZodType>(type: Type) {
  return Object.assign((description: string) => type.describe(description), {
    orNull: (description: string) => orNull(type, description),
    optional: (description: string) => optional(type, description),
  });
}

export const text = fieldsOf(z.string());
export const texts = fieldsOf(z.array(z.string()));
export const int = fieldsOf(z.int());
export const number = fieldsOf(z.number());
export const flag = fieldsOf(z.boolean());
export const time = fieldsOf(isoTime);

export const choice = <const Words extends readonly string[]>(words: Words, description: string) =>
  z.enum(words).describe(description);

export const list = <Item extends z.ZodType>(item: Item, description: string) =>
  z.array(item).describe(description);

type Shape = z.core.$ZodLooseShape;

/** An object within another. */
export const part = <Fields extends Shape>(description: string, fields: Fields) =>
  z.object(fields).describe(description);

export const partOrNull = <Fields extends Shape>(description: string, fields: Fields) =>
  orNull(z.object(fields), description);

/** An object that the API document has under a name of its own. */
export const resource = <Fields extends Shape>(
  id: string,
  description: string,
  fields: Fields,
  example?: object,
) => z.object(fields).meta({ id, description, ...(example && { examples: [example] }) });
