/** Returns numbers from 0 to 1, the same ones for each seed (mulberry32). */
function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

type Tree = Record<string, unknown>;

/** Returns a description that resembles one kind of large public API. Deterministic. */
interface MadeDescription {
  name: string;
  document: Tree;
}

const WORDS =
  'account address amount balance bank billing branch capture card charge city country coupon credit currency customer default delivery discount dispute due email event expiry failure fee fingerprint flow hold identity intent interval invoice issuer item ledger limit line link locale mandate method mode network note number order owner party payment payout period person phone plan policy price product quote rate receipt recipient reason refund region report reserve review risk schedule session setup shipping source state status subject tax terminal test token total transfer trial type unit usage value version wallet webhook'.split(
    ' ',
  );

const SENTENCES = [
  'Unique identifier for the object.',
  'Time at which the object was created. Measured in seconds since the Unix epoch.',
  'Set of [key-value pairs](https://docs.example.com/metadata) that you can attach to an object. This is useful for storing additional information about the object in a structured format.',
  'Three-letter [ISO currency code](https://www.iso.org/iso-4217-currency-codes.html), in lowercase. Must be a supported currency.',
  'Amount in the smallest currency unit, for example `1000` for 10.00. A positive integer, or zero for something that costs nothing.',
  'Whether this has been settled. A value of `true` means that no further change is possible, and that the balance holds it.',
  'The reason why it was declined, where it was. See the section on *declined requests* for every code and what to do about it.',
];

/**
 * Nested objects that refer to one another everywhere, form bodies, and one error that contains
 * half of the API: Stripe.
 */
export function ledgerDescription(operationCount: number): MadeDescription {
  const random = mulberry(1);
  const pick = <Value>(list: readonly Value[]): Value =>
    list[Math.floor(random() * list.length)] as Value;
  const schemas: Tree = {};
  const names = Array.from(
    { length: 420 },
    (_, index) => `${WORDS[index % WORDS.length]}_${pick(WORDS)}_${index}`,
  );
  const roots = names.slice(0, 60);
  const describe = () => `${pick(SENTENCES)} ${random() < 0.4 ? pick(SENTENCES) : ''}`.trim();
  const values = () =>
    Array.from({ length: 3 + Math.floor(random() * 14) }, () => `${pick(WORDS)}_${pick(WORDS)}`);
  const expandable = (): Tree => {
    const name = pick(roots);
    return {
      anyOf: [
        { maxLength: 5000, type: 'string' },
        { $ref: `#/components/schemas/${name}` },
        ...(random() < 0.3 ? [{ $ref: `#/components/schemas/${pick(roots)}` }] : []),
      ],
      description: describe(),
      nullable: random() < 0.6,
      'x-expansionResources': { oneOf: [{ $ref: `#/components/schemas/${name}` }] },
    };
  };
  const property = (level: number): Tree => {
    const chance = random();
    if (chance < 0.12) return expandable();
    if (chance < 0.2) return { $ref: `#/components/schemas/${pick(names)}` };
    if (chance < 0.28)
      return {
        description: describe(),
        type: 'array',
        items: { $ref: `#/components/schemas/${pick(names.slice(60))}` },
      };
    if (chance < 0.36)
      return { description: describe(), type: 'string', enum: [...new Set(values())] };
    if (chance < 0.4 && level < 2) return object(4, level + 1);
    if (chance < 0.6) return { description: describe(), type: 'integer', format: 'unix-time' };
    if (chance < 0.7) return { description: describe(), type: 'boolean', default: false };
    return { description: describe(), type: 'string', maxLength: 5000, nullable: random() < 0.5 };
  };
  const object = (fields: number, level = 0): Tree => {
    const properties: Tree = {};
    for (let index = 0; index < fields; index++)
      properties[`${pick(WORDS)}_${pick(WORDS)}`] = property(level);
    return {
      description: describe(),
      type: 'object',
      required: Object.keys(properties).slice(0, 3),
      properties,
    };
  };
  for (const [index, name] of names.entries()) schemas[name] = object(index < 60 ? 24 : 7);
  schemas.error = {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        properties: {
          code: {
            type: 'string',
            enum: [
              ...new Set(
                Array.from({ length: 180 }, () => `${pick(WORDS)}_${pick(WORDS)}_invalid`),
              ),
            ],
          },
          message: { type: 'string', description: describe() },
          ...Object.fromEntries(
            roots.slice(0, 3).map((name) => [name, { $ref: `#/components/schemas/${name}` }]),
          ),
        },
      },
    },
  };
  const paths: Tree = {};
  for (let index = 0; index < operationCount; index++) {
    const root = roots[Math.floor(index / 5) % roots.length] as string;
    const verb = ['list', 'create', 'retrieve', 'update', 'delete'][index % 5] as string;
    const isOne = index % 5 > 1;
    const path = `/v1/${root}s${index < 300 ? '' : `/v${Math.floor(index / 300)}`}${isOne ? '/{id}' : ''}`;
    const item = (paths[path] ?? {}) as Tree;
    paths[path] = item;
    item[['get', 'post', 'get', 'post', 'delete'][index % 5] as string] = {
      operationId: `${verb}_${root}_${index}`,
      summary: `${verb} ${root.replaceAll('_', ' ')}`,
      tags: [root],
      description: `<p>${describe()}</p>`,
      parameters: [
        ...(isOne
          ? [
              {
                name: 'id',
                in: 'path',
                required: true,
                schema: { type: 'string', maxLength: 5000 },
              },
            ]
          : []),
        ...(verb === 'list'
          ? [
              {
                name: 'expand',
                in: 'query',
                explode: true,
                style: 'deepObject',
                schema: { type: 'array', items: { type: 'string' } },
              },
            ]
          : []),
      ],
      ...(verb === 'create' || verb === 'update'
        ? {
            requestBody: {
              content: {
                'application/x-www-form-urlencoded': {
                  encoding: {},
                  schema: inlineCopy(schemas[root] as Tree, 14),
                },
              },
            },
          }
        : {}),
      responses: {
        200: {
          description: 'Successful response.',
          content: { 'application/json': { schema: { $ref: `#/components/schemas/${root}` } } },
        },
        default: {
          description: 'Error response.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/error' } } },
        },
      },
    };
  }
  return { name: 'ledger', document: documentOf('Ledger', paths, schemas) };
}

function inlineCopy(schema: Tree, fields: number): Tree {
  const own = Object.entries(schema.properties as Tree).slice(0, fields);
  return { type: 'object', properties: Object.fromEntries(own) };
}

/** Flat objects with many parameters, most of them with long names: Twilio. */
export function callsDescription(operationCount: number): MadeDescription {
  const random = mulberry(2);
  const pick = <Value>(list: readonly Value[]): Value =>
    list[Math.floor(random() * list.length)] as Value;
  const name = () => `${title(pick(WORDS))}${title(pick(WORDS))}${title(pick(WORDS))}`;
  const schemas: Tree = {};
  const paths: Tree = {};
  for (let index = 0; index < operationCount; index++) {
    const resource = `${name()}${index}`;
    const status = `${resource}.status`;
    schemas[status] = {
      type: 'string',
      enum: [...new Set(Array.from({ length: 8 }, () => `${pick(WORDS)}-${pick(WORDS)}`))],
    };
    const fields = Object.fromEntries(
      Array.from({ length: 18 }, () => [
        `${pick(WORDS)}_${pick(WORDS)}`,
        { type: 'string', nullable: true, description: pick(SENTENCES) },
      ]),
    );
    schemas[resource] = {
      type: 'object',
      properties: {
        ...fields,
        status: { $ref: `#/components/schemas/${status}` },
        created: { type: 'string', format: 'date-time' },
      },
    };
    const form = Object.fromEntries(
      Array.from({ length: index % 40 === 0 ? 200 : 12 }, (_, at) => [
        `${name()}${at}`,
        { type: 'string', description: pick(SENTENCES) },
      ]),
    );
    paths[`/2010-04-01/Accounts/{AccountSid}/${resource}.json`] = {
      servers: [{ url: 'https://calls.example.com' }],
      post: {
        operationId: `Create${resource}`,
        tags: [pick(['Calls', 'Messages', 'Numbers', 'Recordings'])],
        description: pick(SENTENCES),
        security: [{ basic: [] }],
        parameters: [
          {
            name: 'AccountSid',
            in: 'path',
            required: true,
            schema: { type: 'string', pattern: '^AC[0-9a-fA-F]{32}$' },
          },
        ],
        requestBody: {
          content: {
            'application/x-www-form-urlencoded': { schema: { type: 'object', properties: form } },
          },
        },
        responses: {
          201: {
            description: 'Created',
            content: {
              'application/json': { schema: { $ref: `#/components/schemas/${resource}` } },
            },
          },
        },
      },
    };
  }
  return { name: 'calls', document: documentOf('Calls', paths, schemas) };
}

/**
 * Unions of events distinguished by a discriminator, recursive schemas, `allOf` on `allOf`: OpenAI.
 */
export function modelsDescription(operationCount: number): MadeDescription {
  const random = mulberry(3);
  const pick = <Value>(list: readonly Value[]): Value =>
    list[Math.floor(random() * list.length)] as Value;
  const schemas: Tree = {};
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  schemas.Filter = {
    title: 'Filter',
    oneOf: [
      {
        type: 'object',
        required: ['key', 'value'],
        properties: {
          key: { type: 'string' },
          value: { oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
        },
      },
      {
        type: 'object',
        required: ['and'],
        properties: { and: { type: 'array', items: ref('Filter') } },
      },
    ],
  };
  const parts = Array.from({ length: 24 }, (_, index) => `${title(pick(WORDS))}Part${index}`);
  for (const [index, name] of parts.entries())
    schemas[name] = {
      type: 'object',
      title: name,
      required: ['type'],
      properties: {
        type: { type: 'string', enum: [`part.${index}`], 'x-stainless-const': true },
        ...Object.fromEntries(
          Array.from({ length: 6 }, () => [
            `${pick(WORDS)}_${pick(WORDS)}`,
            { type: 'string', description: pick(SENTENCES) },
          ]),
        ),
        ...(index % 6 === 0 ? { filter: ref('Filter') } : {}),
      },
    };
  schemas.Item = { discriminator: { propertyName: 'type' }, oneOf: parts.map(ref) };
  const events = Array.from({ length: 50 }, (_, index) => `Event${title(pick(WORDS))}${index}`);
  for (const [index, name] of events.entries())
    schemas[name] = {
      allOf: [
        {
          type: 'object',
          required: ['type', 'sequence'],
          properties: {
            type: { type: 'string', enum: [`event.${index}.delta`] },
            sequence: { type: 'integer' },
          },
        },
        {
          type: 'object',
          properties: {
            item: ref(index % 3 === 0 ? 'Item' : (parts[index % parts.length] as string)),
            delta: { type: 'string', description: pick(SENTENCES) },
          },
        },
      ],
    };
  schemas.StreamEvent = { discriminator: { propertyName: 'type' }, anyOf: events.map(ref) };
  schemas.Answer = {
    type: 'object',
    properties: {
      id: { type: 'string' },
      output: { type: 'array', items: ref('Item') },
      status: { type: 'string', enum: ['queued', 'in_progress', 'completed', 'failed'] },
      error: {
        anyOf: [{ type: 'object', properties: { code: { type: 'string' } } }, { type: 'null' }],
      },
    },
  };
  const paths: Tree = {};
  for (let index = 0; index < operationCount; index++) {
    schemas[`Request${index}`] = {
      allOf: [
        {
          type: 'object',
          properties: Object.fromEntries(
            Array.from({ length: 15 }, () => [
              `${pick(WORDS)}_${pick(WORDS)}`,
              { type: ['string', 'null'], description: pick(SENTENCES), default: null },
            ]),
          ),
        },
        {
          type: 'object',
          required: ['input'],
          properties: {
            input: { oneOf: [{ type: 'string' }, { type: 'array', items: ref('Item') }] },
            filter: ref('Filter'),
          },
        },
      ],
    };
    paths[`/${pick(WORDS)}s/${index}`] = {
      post: {
        operationId: `create${index}`,
        tags: [pick(['Responses', 'Files', 'Models'])],
        summary: `Create a ${pick(WORDS)} ${index}`,
        requestBody: {
          required: true,
          content: { 'application/json': { schema: ref(`Request${index}`) } },
        },
        responses: {
          200: {
            description: 'OK',
            content: {
              'application/json': { schema: ref('Answer') },
              'text/event-stream': { schema: ref('StreamEvent') },
            },
          },
        },
      },
    };
  }
  return { name: 'models', document: documentOf('Models', paths, schemas, '3.1.0') };
}

function documentOf(name: string, paths: Tree, schemas: Tree, openapi = '3.0.3'): Tree {
  return {
    openapi,
    info: { title: `${name} API`, version: '1' },
    servers: [{ url: 'https://api.example.com' }],
    security: [{ bearer: [] }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        basic: { type: 'http', scheme: 'basic' },
      },
    },
  };
}

function title(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
