import type { PlaygroundInputs } from '../../access/may-read.ts';
import { inlineJson } from '../../html.ts';
import type { CredentialInput, ParameterInput, RequestInputs } from '../request-inputs.ts';

const SCRIPT = /(<script type="application\/json" data-playground>)([^<]*)(?=<\/script>)/;
/** Kinds of values that a form takes from a text, a number or a truth value. */
const SCALAR = /^(?:text|integer|number|boolean|choice)$/;

/**
 * Returns the HTML of a page whose form begins with what the session of its reader says. Nothing
 * is sent anywhere before the reader sends the request.
 */
export function withSessionInputs(html: string, values: PlaygroundInputs): string {
  return html.replace(
    SCRIPT,
    (_, opening: string, json: string) =>
      opening + inlineJson(filledInputs(JSON.parse(json) as RequestInputs, values)),
  );
}

/**
 * Returns the inputs of an operation with values of a session as defaults: of parameters and
 * credentials by their place and name, and of the variables of servers.
 */
export function filledInputs(inputs: RequestInputs, values: PlaygroundInputs): RequestInputs {
  const sessionValue = (place: keyof PlaygroundInputs, name: string): unknown => {
    const entries = Object.entries(values[place] ?? {});
    // Names of headers have no case (RFC 9110 §5.1).
    const sameName = (key: string) =>
      place === 'header' ? key.toLowerCase() === name.toLowerCase() : key === name;
    return entries.find(([key]) => sameName(key))?.[1];
  };
  const parameter = (input: ParameterInput): ParameterInput => {
    const value = sessionValue(input.place, input.name);
    const fits = SCALAR.test(input.shape.kind) ? isScalar(value) : value !== undefined;
    return fits ? { ...input, shape: { ...input.shape, default: value } } : input;
  };
  const credential = (input: CredentialInput): CredentialInput => {
    const value = input.kind === 'basic' ? undefined : sessionValue(input.place, input.name);
    if (typeof value !== 'string' || value === '') return input;
    return { ...input, preset: input.kind === 'bearer' ? value.replace(/^bearer /i, '') : value };
  };
  return {
    ...inputs,
    parameters: inputs.parameters.map(parameter),
    security: inputs.security.map((alternative) => alternative.map(credential)),
    servers: inputs.servers.map(({ variables, ...server }) => ({
      ...server,
      ...(variables && {
        variables: variables.map((variable) => {
          const value = sessionValue('server', variable.name);
          const isAllowed = isScalar(value) && (variable.values?.includes(String(value)) ?? true);
          return isAllowed ? { ...variable, value: String(value) } : variable;
        }),
      }),
    })),
  };
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
