import * as z from 'zod';

// The usual fields of the API, each with the description that its documentation shows.

/** A time in a response: use cases return a `Date`, readers get ISO 8601 in UTC. */
export const isoTime = z
  .codec(z.iso.datetime(), z.date(), {
    decode: (text) => new Date(text),
    encode: (date) => date.toISOString(),
  })
  .meta({ type: 'string', format: 'date-time', pattern: z.regexes.datetime({}).source });

export const time = (description: string) => isoTime.describe(description);
export const timeOrNull = (description: string) => isoTime.nullable().describe(description);
export const text = (description: string) => z.string().describe(description);
export const textOrNull = (description: string) => z.string().nullable().describe(description);
export const optionalText = (description: string) => z.string().optional().describe(description);
export const texts = (description: string) => z.array(z.string()).describe(description);
export const int = (description: string) => z.int().describe(description);
export const intOrNull = (description: string) => z.int().nullable().describe(description);
export const flag = (description: string) => z.boolean().describe(description);

export const list = <Item extends z.ZodType>(item: Item, description: string) =>
  z.array(item).describe(description);

export const choice = <const Words extends readonly string[]>(words: Words, description: string) =>
  z.enum(words).describe(description);

export const choiceOrNull = <const Words extends readonly string[]>(
  words: Words,
  description: string,
) => z.enum(words).nullable().describe(description);

/** An object that the API document has under a name of its own. */
export function resource<Shape extends z.core.$ZodLooseShape>(
  id: string,
  description: string,
  shape: Shape,
  example?: object,
) {
  return z.object(shape).meta({ id, description, ...(example && { examples: [example] }) });
}
