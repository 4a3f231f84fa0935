import { anchorPart } from '@docent/format/anchors.ts';
import {
  parameterKey,
  type RequestValues,
} from '@docent/format/api-reference/playground/build-request.ts';
import {
  type InputPlace,
  inputPlaces,
  type ParameterInput,
  type RequestInputs,
} from '@docent/format/api-reference/request-inputs.ts';
import { button, make } from '../dom.ts';
import { type AuthorizationSection, authorizationSection } from './authorization-section.ts';
import { type BodySection, bodySection } from './body-section.ts';
import {
  type Control,
  emitChange,
  type FormFrame,
  formSection,
  markMissing,
} from './fields/control.ts';
import { makeControl, requiredFirst } from './fields/group-controls.ts';
import { keepValues, keptValues } from './kept-values.ts';
import type { ProxyRoute } from './send-request.ts';
import { type ServerSection, serverSection } from './server-section.ts';

/** Values stored for all operations of an API: identities stay, page sizes do not. */
const SHARED: ReadonlySet<InputPlace> = new Set<InputPlace>(['path', 'header', 'cookie']);

/** Marks an operation with stored values. */
const KEPT = 'kept';

/** The form for calling an operation. */
export class RequestForm {
  readonly element = make('form', 'd-pg-form');
  readonly #inputs: RequestInputs;
  readonly #frame: FormFrame;
  readonly #server: ServerSection;
  readonly #authorization: AuthorizationSection | undefined;
  readonly #fields: { key: string; parameter: ParameterInput; control: Control }[] = [];
  readonly #body: BodySection | undefined;
  #origin = '';

  constructor(frame: FormFrame, inputs: RequestInputs) {
    this.#frame = frame;
    this.#inputs = inputs;
    this.#server = serverSection(frame, inputs.servers, inputs.messages ? 'ws' : 'http');
    this.#authorization = authorizationSection(frame, inputs);
    this.#body = bodySection(frame, inputs);
    this.element.noValidate = true;
    this.element.append(
      enterButton(),
      ...(/^https?:/i.test(inputs.route) ? [] : [this.#server.element]),
      ...(this.#authorization ? [this.#authorization.element] : []),
      ...inputPlaces.flatMap((place) => this.#parameterSection(place)),
      ...(this.#body ? [this.#body.element] : []),
      make(
        'div',
        'd-pg-actions',
        button('d-btn d-btn-small', () => this.#reset(), frame.texts.clear),
      ),
    );
    this.#restore();
    this.element.addEventListener('input', () => this.#onInput());
    this.element.addEventListener('change', () => this.#onInput());
  }

  #parameterSection(place: InputPlace): HTMLElement[] {
    const { texts } = this.#frame;
    const fields: HTMLElement[] = [];
    for (const parameter of requiredFirst(this.#inputs.parameters)) {
      if (parameter.place !== place) continue;
      const { name, shape } = parameter;
      const path = `${this.#inputs.byHand ? 'param' : 'parameter'}-${anchorPart(name)}`;
      const control = makeControl(this.#frame, shape, {
        name,
        isRequired: parameter.required === true,
        path,
      });
      this.#fields.push({ key: parameterKey(parameter), parameter, control });
      fields.push(control.element);
    }
    const titles = {
      path: texts.pathParameters,
      query: texts.queryParameters,
      header: texts.headers,
      cookie: texts.cookies,
    };
    return fields.length === 0
      ? []
      : [formSection(titles[place], make('div', 'd-pg-entries', ...fields))];
  }

  values(): RequestValues {
    const values = this.#fields.map(({ key, control }) => [key, control.read()] as const);
    const parameters = new Map(values.filter(([, value]) => value !== undefined));
    const body = this.#body?.read();
    return {
      server: this.#server.address(),
      credentials: this.#authorization?.read() ?? [],
      parameters,
      ...(body && { body }),
    };
  }

  /** How the site's server makes the call, if it does. */
  route(): ProxyRoute | undefined {
    if (!this.#frame.isProxied) return undefined;
    if (/^https?:/i.test(this.#inputs.route)) return {};
    const server = this.#server.chosen();
    return server && { server };
  }

  /** Returns the first field that must be fixed before sending. */
  check(): HTMLElement | undefined {
    const faults = [/^https?:/i.test(this.#inputs.route) ? undefined : this.#server.check()];
    for (const { control } of this.#fields) faults.push(control.check());
    faults.push(this.#missingPathValue(), this.#body?.check());
    return faults.find((fault) => fault !== undefined);
  }

  /**
   * Other values may be missing, because the API's error response is useful; a path without its
   * parameters is not a URL.
   */
  #missingPathValue(): HTMLElement | undefined {
    const missing = this.#fields.filter(
      ({ parameter, control }) => parameter.place === 'path' && control.read() === undefined,
    );
    return missing.map(({ control }) =>
      markMissing(control.element, this.#frame.texts.missingValue),
    )[0];
  }

  #onInput(): void {
    const origin = originOf(this.values().server || this.#inputs.route);
    if (origin !== this.#origin) {
      // Credentials belong to one server, and are not offered to another.
      this.#origin = origin;
      this.#authorization?.restore(origin);
    }
    this.#keep();
  }

  #restore(): void {
    this.#origin = originOf(this.values().server || this.#inputs.route);
    this.#authorization?.restore(this.#origin);
    const shared = keptValues('shared', this.#origin);
    const pageValues = keptValues('page', this.#key);
    // An empty required body would be no request: its example is shown, to be changed or sent.
    if (pageValues.size === 0 && (this.#inputs.prefill || this.#inputs.isBodyRequired))
      this.#body?.prefill();
    if (pageValues.size === 0 && this.#inputs.prefill) this.#prefill();
    for (const { key, control } of this.#fields) {
      const value = pageValues.get(key) ?? shared.get(key);
      // A default that the reader removed stays removed.
      if (value !== undefined || pageValues.has(KEPT)) control.write(value);
    }
    this.#body?.restore(pageValues);
  }

  #prefill(): void {
    for (const { parameter, control } of this.#fields) {
      if (parameter.shape.example !== undefined) control.write(parameter.shape.example);
    }
  }

  get #key(): string {
    const { method, route, servers } = this.#inputs;
    return `${method} ${route} ${servers[0]?.url ?? ''}`;
  }

  #keep(): void {
    this.#server.keep();
    this.#authorization?.keep(this.#origin);
    const shared = keptValues('shared', this.#origin);
    const pageValues = new Map<string, unknown>([[KEPT, true], ...(this.#body?.kept() ?? [])]);
    for (const { key, parameter, control } of this.#fields) {
      const value = control.read();
      if (value !== undefined && SHARED.has(parameter.place)) shared.set(key, value);
      else if (SHARED.has(parameter.place)) shared.delete(key);
      pageValues.set(key, value);
    }
    keepValues('shared', this.#origin, shared);
    keepValues('page', this.#key, pageValues);
  }

  #reset(): void {
    for (const { parameter, control } of this.#fields) control.write(parameter.shape.default);
    this.#authorization?.reset();
    this.#body?.reset();
    this.#server.reset();
    emitChange(this.element);
  }
}

/** Enter submits a form only if it has a submit button. */
function enterButton(): HTMLButtonElement {
  const submitButton = make('button', 'd-vh');
  submitButton.type = 'submit';
  submitButton.tabIndex = -1;
  submitButton.setAttribute('aria-hidden', 'true');
  return submitButton;
}

/** Returns the origin of a URL; the URL itself if it has none yet. */
function originOf(address: string): string {
  return URL.parse(address)?.origin ?? address;
}

const MASK = '••••••••';

/** Returns the values with every credential replaced by dots, in the same shape. */
export function withoutSecrets(values: RequestValues): RequestValues {
  return {
    ...values,
    credentials: values.credentials.map(({ credential, value }) => ({
      // Dots in Base64 would look like a password.
      credential:
        credential.kind === 'basic' ? { ...credential, kind: 'key', prefix: 'Basic ' } : credential,
      value: value.value === '' && !value.userName ? value : { value: MASK },
    })),
  };
}
