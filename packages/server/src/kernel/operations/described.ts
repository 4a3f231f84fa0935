import * as z from 'zod';

// The usual fields of the API, each with the description that its documentation shows.

/** A time in a response: use cases return a `Date`, readers get ISO 8601 in UTC. */
export const isoTime = z
  .codec(z.iso.datetime(), z.date(), {
    decode: (text) => new Date(text),
    encode: (date) => date.toISOString(),
  })
  .meta({ type: 'string', format: 'date-time', pattern: z.regexes.datetime({}).source });

/** Makes fields of a type: one that is always there, one that may be `null`, one that may be absent. */
function fieldsOf<Type extends z.ZodType>(type: Type) {
  return Object.assign((description: string) => type.describe(description), {
    orNull: (description: string) => type.nullable().describe(description),
    optional: (description: string) => type.optional().describe(description),
  });
}

export const text = fieldsOf(z.string());
export const texts = fieldsOf(z.array(z.string()));
export const int = fieldsOf(z.int());
export const number = fieldsOf(z.number());
export const flag = fieldsOf(z.boolean());
export const time = fieldsOf(isoTime);

type Words = readonly string[];

export const choice = <const Choices extends Words>(choices: Choices, description: string) =>
  z.enum(choices).describe(description);

export const choiceOrNull = <const Choices extends Words>(choices: Choices, description: string) =>
  z.enum(choices).nullable().describe(description);

export const optionalChoice = <const Choices extends Words>(
  choices: Choices,
  description: string,
) => z.enum(choices).optional().describe(description);

export const list = <Item extends z.ZodType>(item: Item, description: string) =>
  z.array(item).describe(description);

export const optionalList = <Item extends z.ZodType>(item: Item, description: string) =>
  z.array(item).optional().describe(description);

type Shape = z.core.$ZodLooseShape;

/** An object within another. */
export const part = <Fields extends Shape>(description: string, fields: Fields) =>
  z.object(fields).describe(description);

export const partOrNull = <Fields extends Shape>(description: string, fields: Fields) =>
  z.object(fields).nullable().describe(description);

/** An object that the API document has under a name of its own. */
export const resource = <Fields extends Shape>(
  id: string,
  description: string,
  fields: Fields,
  example?: object,
) => z.object(fields).meta({ id, description, ...(example && { examples: [example] }) });
