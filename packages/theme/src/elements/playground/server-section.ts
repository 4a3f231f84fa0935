import type { ChosenServer } from '@docent/format/api-reference/playground/api-call.ts';
import type { ServerInput } from '@docent/format/api-reference/request-inputs.ts';
import { make } from '../dom.ts';
import {
  type ControlPlace,
  emitChange,
  type FormFrame,
  fieldFrame,
  formSection,
} from './fields/control.ts';
import { selectOf, textInput } from './fields/scalar-controls.ts';
import { keepValues, keptValues } from './kept-values.ts';

export interface ServerSection {
  element: HTMLElement;
  /** The URL with its variables resolved; empty if there is none. */
  address(): string;
  /**
   * The selected server of the list; undefined for a custom URL, and for a path on this page's
   * server.
   */
  chosen(): ChosenServer | undefined;
  check(): HTMLElement | undefined;
  keep(): void;
  reset(): void;
}

interface Variable {
  name: string;
  input: HTMLInputElement | HTMLSelectElement;
}

/**
 * A select for the servers of the API, their variables, and a custom URL, because readers have test
 * servers.
 */
export function serverSection(
  frame: FormFrame,
  servers: readonly ServerInput[],
  scheme: 'http' | 'ws' = 'http',
): ServerSection {
  const { texts } = frame;
  const key = servers.map((server) => server.url).join(' ') || location.pathname;
  const place = (name: string): ControlPlace => ({ name, isRequired: false, path: '' });
  const labels = servers.map(({ url, description }) =>
    description ? `${url} (${description})` : url,
  );
  const select = selectOf([...labels, texts.otherServer]);
  const choice = fieldFrame(frame, {}, { ...place(texts.server), isNamed: true }, select);
  const other = textInput();
  other.inputMode = 'url';
  other.placeholder = `${scheme}s://`;
  const otherField = fieldFrame(frame, {}, place(texts.otherServer), other);
  const details = make('div', 'd-pg-entries');
  let variables: Variable[] = [];
  const chosen = (): ServerInput | undefined => servers[Number(select.value)];
  const show = (): void => {
    variables = (chosen()?.variables ?? []).map(({ name, value, values }) => {
      const input = values ? selectOf(values) : textInput();
      input.value = values ? String(Math.max(0, values.indexOf(value))) : value;
      return { name, input };
    });
    const fields = variables.map(
      ({ name, input }) => fieldFrame(frame, {}, place(name), input).element,
    );
    details.replaceChildren(...(chosen() ? fields : [otherField.element]));
  };
  const variableValue = ({ name, input }: Variable): string => {
    const values = chosen()?.variables?.find((variable) => variable.name === name)?.values;
    return values ? (values[Number(input.value)] ?? '') : input.value;
  };
  const address = (): string => {
    const server = chosen();
    if (!server) return other.value.trim();
    return wholeAddress(
      variables.reduce(
        (url, variable) => url.replaceAll(`{${variable.name}}`, () => variableValue(variable)),
        server.url,
      ),
    );
  };
  select.addEventListener('change', show);
  const restore = (): void => {
    const kept = keptValues('server', key);
    const isKnown = Number(kept.get('choice')) <= servers.length;
    select.value = isKnown ? String(kept.get('choice')) : '0';
    other.value = String(kept.get('other') ?? '');
    show();
    for (const { name, input } of variables)
      input.value = String(kept.get(`variable ${name}`) ?? input.value);
  };
  restore();
  return {
    element: formSection(texts.server, choice.element, details),
    address,
    chosen: () => {
      if (!chosen() || new URL(address(), location.href).origin === location.origin)
        return undefined;
      return {
        index: Number(select.value),
        variables: Object.fromEntries(
          variables.map((variable) => [variable.name, variableValue(variable)]),
        ),
      };
    },
    check: () => {
      const isWrong = !isAddress(address(), scheme);
      const field = chosen() ? choice : otherField;
      field.fault(isWrong ? texts.failedAddress.replace('{url}', () => address()) : undefined);
      return isWrong ? (chosen() ? select : other) : undefined;
    },
    keep: () => {
      const values: [string, unknown][] = variables.map(({ name, input }) => [
        `variable ${name}`,
        input.value,
      ]);
      keepValues(
        'server',
        key,
        new Map([['choice', Number(select.value)], ['other', other.value], ...values]),
      );
    },
    reset: () => {
      select.value = '0';
      other.value = '';
      show();
      emitChange(select);
    },
  };
}

/** A bare path is relative to the server of this page. */
function wholeAddress(address: string): string {
  const isPath = !/^[a-z][a-z0-9+.-]*:/i.test(address) && !address.startsWith('{');
  return isPath && /^https?:$/.test(location.protocol)
    ? new URL(address, location.origin).href.replace(/\/$/, '')
    : address;
}

/** Returns whether requests can be sent there. */
function isAddress(address: string, scheme: 'http' | 'ws'): boolean {
  return (
    new RegExp(`^${scheme}s?://`, 'i').test(address) &&
    !/[{}]/.test(address) &&
    URL.canParse(address)
  );
}
