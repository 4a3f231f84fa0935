import type { SampleLabel } from '../../docs-json/settings/sample-languages.ts';
import type { SampleBody, SampleRequest } from './sample-request.ts';

/** The request of an example as plain parts, for languages whose body is text. */
export interface PlainRequest {
  method: string;
  url: string;
  headers: readonly (readonly [name: string, value: string])[];
  /** JSON over several lines; a form as sent over the wire. */
  body?: string;
}

/** Returns the request with its body as text; undefined if the body contains a file. */
export function plainRequest(request: SampleRequest): PlainRequest | undefined {
  const { method, url, headers } = request;
  const body = request.body && bodyText(request.body);
  if (request.body && body === undefined) return undefined;
  return { method: word(method), url, headers, body };
}

/** Some languages write methods without quotes. */
function word(method: string): string {
  return method.replace(/[^A-Za-z]/g, '') || 'GET';
}

function bodyText(body: SampleBody): string | undefined {
  switch (body.kind) {
    case 'json':
      return JSON.stringify(body.value, null, 2) ?? 'null';
    case 'form':
      return body.fields.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
    case 'text':
      return body.text;
    default:
      return undefined;
  }
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Returns the request as Go with `net/http`. */
function goSample({ method, url, headers, body }: PlainRequest): string {
  const text = body === undefined ? 'nil' : 'payload';
  const imports = ['"fmt"', '"io"', '"net/http"', ...(body === undefined ? [] : ['"strings"'])];
  const payload = body === undefined ? '' : `\tpayload := strings.NewReader(${raw(body)})\n`;
  const lines = headers
    .map(([name, value]) => `\treq.Header.Set(${quoted(name)}, ${quoted(value)})\n`)
    .join('');
  return `package main

import (
${imports.map((name) => `\t${name}`).join('\n')}
)

func main() {
${payload}\treq, err := http.NewRequest(${quoted(method)}, ${quoted(url)}, ${text})
	if err != nil {
		panic(err)
	}
${lines}	res, err := http.DefaultClient.Do(req)
	if err != nil {
		panic(err)
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(res.Body)
	fmt.Println(string(body))
}`;
}

/** A raw string between backticks can contain anything but a backtick. */
function raw(text: string): string {
  return text.includes('`') || text.includes('\r') ? quoted(text) : `\`${text}\``;
}

/** Returns the request as Java with the platform's `HttpClient`. */
function javaSample(request: PlainRequest): string {
  return `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

HttpRequest request = HttpRequest.newBuilder()
${builderLines(request, quoted)}
    .build();
HttpResponse<String> response = HttpClient.newHttpClient()
    .send(request, HttpResponse.BodyHandlers.ofString());
System.out.println(response.body());`;
}

/** Returns the request as Kotlin with the platform's `HttpClient`. */
function kotlinSample(request: PlainRequest): string {
  return `import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse

fun main() {
    val request = HttpRequest.newBuilder()
${builderLines(request, quotedWithDollar).replace(/^/gm, '    ')}
        .build()
    val response = HttpClient.newHttpClient()
        .send(request, HttpResponse.BodyHandlers.ofString())
    println(response.body())
}`;
}

function builderLines(
  { method, url, headers, body }: PlainRequest,
  quote: (text: string) => string,
): string {
  const publisher = body === undefined ? 'noBody()' : `ofString(${quote(oneLine(body))})`;
  return [
    `.uri(URI.create(${quote(url)}))`,
    ...headers.map(([name, value]) => `.header(${quote(name)}, ${quote(value)})`),
    `.method(${quote(method)}, HttpRequest.BodyPublishers.${publisher})`,
  ]
    .map((line) => `    ${line}`)
    .join('\n');
}

/** Returns the request as C# with `HttpClient`. */
function csharpSample({ method, url, headers, body }: PlainRequest): string {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const lines = [
    'using var client = new HttpClient();',
    `using var request = new HttpRequestMessage(HttpMethod.${capitalized(method)}, ${quoted(url)});`,
    ...headers
      .filter(([name]) => name.toLowerCase() !== 'content-type')
      .map(
        ([name, value]) =>
          `request.Headers.TryAddWithoutValidation(${quoted(name)}, ${quoted(value)});`,
      ),
  ];
  if (body !== undefined)
    lines.push(`request.Content = new StringContent(${quoted(oneLine(body))});`);
  if (body !== undefined && type !== undefined)
    lines.push(
      `request.Content.Headers.ContentType = System.Net.Http.Headers.MediaTypeHeaderValue.Parse(${quoted(type)});`,
    );
  lines.push(
    'var response = await client.SendAsync(request);',
    'Console.WriteLine(await response.Content.ReadAsStringAsync());',
  );
  return lines.join('\n');
}

/** Returns the request as Swift with `URLSession`. */
function swiftSample({ method, url, headers, body }: PlainRequest): string {
  const lines = [
    `var request = URLRequest(url: URL(string: ${quoted(url)})!)`,
    `request.httpMethod = ${quoted(method)}`,
    ...headers.map(
      ([name, value]) => `request.setValue(${quoted(value)}, forHTTPHeaderField: ${quoted(name)})`,
    ),
  ];
  if (body !== undefined) lines.push(`request.httpBody = Data(${quoted(oneLine(body))}.utf8)`);
  return `import Foundation

${lines.join('\n')}

let (data, _) = try await URLSession.shared.data(for: request)
print(String(decoding: data, as: UTF8.self))`;
}

/** Returns the request as Rust with the `reqwest` crate. */
function rustSample({ method, url, headers, body }: PlainRequest): string {
  const chain = [
    `.request(reqwest::Method::${method.toUpperCase()}, ${quoted(url)})`,
    ...headers.map(([name, value]) => `.header(${quoted(name)}, ${quoted(value)})`),
    ...(body === undefined ? [] : [`.body(${quoted(oneLine(body))})`]),
    '.send()?',
    '.text()?;',
  ];
  return `fn main() -> Result<(), reqwest::Error> {
    let body = reqwest::blocking::Client::new()
${chain.map((line) => `        ${line}`).join('\n')}
    println!("{body}");
    Ok(())
}`;
}

const PRINT_FAULT = 'if (result != CURLE_OK) std::cerr << curl_easy_strerror(result) << std::endl;';

/** Returns the request as C or C++ with libcurl. */
function curlProgram(
  { method, url, headers, body }: PlainRequest,
  includes: readonly string[],
  after: readonly string[] = [],
): string {
  const lines = [
    'CURL *curl = curl_easy_init();',
    ...(headers.length === 0 ? [] : ['struct curl_slist *headers = NULL;']),
    ...headers.map(
      ([name, value]) => `headers = curl_slist_append(headers, ${cText(`${name}: ${value}`)});`,
    ),
    `curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, ${cText(method)});`,
    `curl_easy_setopt(curl, CURLOPT_URL, ${cText(url)});`,
    ...(headers.length === 0 ? [] : ['curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);']),
    ...(body === undefined
      ? []
      : [`curl_easy_setopt(curl, CURLOPT_POSTFIELDS, ${cText(oneLine(body))});`]),
    'CURLcode result = curl_easy_perform(curl);',
    ...after,
    ...(headers.length === 0 ? [] : ['curl_slist_free_all(headers);']),
    'curl_easy_cleanup(curl);',
    'return result == CURLE_OK ? 0 : 1;',
  ];
  const head = includes.map((file) => `#include <${file}>\n`).join('');
  return `${head}\nint main(void) {\n${indented(lines.join('\n'), '  ')}\n}`;
}

/** Two question marks can start a trigraph in old compilers. */
function cText(text: string): string {
  return quoted(text).replaceAll('??', '?\\?');
}

/** Returns the request as PHP with its cURL functions. */
function phpSample({ method, url, headers, body }: PlainRequest): string {
  const options = [
    'CURLOPT_RETURNTRANSFER => true',
    `CURLOPT_CUSTOMREQUEST => ${single(method)}`,
    ...(headers.length === 0
      ? []
      : [
          `CURLOPT_HTTPHEADER => [\n${headers.map(([name, value]) => `    ${single(`${name}: ${value}`)},`).join('\n')}\n  ]`,
        ]),
    ...(body === undefined ? [] : [`CURLOPT_POSTFIELDS => ${single(body)}`]),
  ];
  return `<?php

$curl = curl_init(${single(url)});
curl_setopt_array($curl, [
${options.map((option) => `  ${option},`).join('\n')}
]);
$response = curl_exec($curl);
curl_close($curl);
echo $response;`;
}

/** Returns the request as Ruby with `net/http`. */
function rubySample({ method, url, headers, body }: PlainRequest): string {
  const lines = headers.map(([name, value]) => `request[${single(name)}] = ${single(value)}`);
  if (body !== undefined) lines.push(`request.body = ${single(body)}`);
  return `require "net/http"

url = URI(${single(url)})
request = Net::HTTP::${capitalized(method)}.new(url)
${lines.map((line) => `${line}\n`).join('')}response = Net::HTTP.start(url.host, url.port, use_ssl: url.scheme == "https") do |http|
  http.request(request)
end
puts response.body`;
}

/** Between single quotes only the quote and the backslash are special, in both languages. */
function single(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

/** Returns the request as PowerShell with `Invoke-RestMethod`. */
function powershellSample({ method, url, headers, body }: PlainRequest): string {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const others = headers.filter(([name]) => name.toLowerCase() !== 'content-type');
  const lines: string[] = [];
  const call = [`-Method ${capitalized(method)}`, `-Uri ${doubled(url)}`];
  if (others.length > 0) {
    const entries = others.map(([name, value]) => `  ${doubled(name)} = ${doubled(value)}`);
    lines.push(`$headers = @{\n${entries.join('\n')}\n}`);
    call.push('-Headers $headers');
  }
  if (type !== undefined) call.push(`-ContentType ${doubled(type)}`);
  if (body !== undefined) {
    lines.push(`$body = ${doubled(body)}`);
    call.push('-Body $body');
  }
  return [...lines, `Invoke-RestMethod ${call.join(' ')}`].join('\n');
}

/** In PowerShell's single quotes, a quote is doubled; curly quotes count as quotes too. */
function doubled(text: string): string {
  return `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`;
}

/** Returns the request as Dart with the `http` package. */
function dartSample({ method, url, headers, body }: PlainRequest): string {
  const lines = [
    `final request = http.Request(${quotedWithDollar(method)}, Uri.parse(${quotedWithDollar(url)}));`,
  ];
  if (headers.length > 0) {
    const entries = headers.map(
      ([name, value]) => `  ${quotedWithDollar(name)}: ${quotedWithDollar(value)},`,
    );
    lines.push(`request.headers.addAll({\n${entries.join('\n')}\n});`);
  }
  if (body !== undefined) lines.push(`request.body = ${quotedWithDollar(oneLine(body))};`);
  lines.push(
    'final response = await http.Response.fromStream(await request.send());',
    'print(response.body);',
  );
  return `import 'package:http/http.dart' as http;\n\nFuture<void> main() async {\n${indented(lines.join('\n'), '  ')}\n}`;
}

/**
 * Escapes text for double quotes in every C-like language: after control characters are removed,
 * JSON escapes only quotes, backslashes and line ends.
 */
function quoted(text: string): string {
  return JSON.stringify(
    text
      .toWellFormed()
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029]/g, ''),
  );
}

/** The same for languages in which `$` starts a variable in double quotes. */
function quotedWithDollar(text: string): string {
  return quoted(text).replaceAll('$', '\\$');
}

/** Returns the body on one line if it is JSON. */
function oneLine(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return body;
  }
}

/** Indents every line. */
function indented(text: string, by: string): string {
  return text.replace(/^(?=.)/gm, by);
}

/** Returns the name of the method capitalized: `Post`. */
function capitalized(method: string): string {
  return method.charAt(0).toUpperCase() + method.slice(1).toLowerCase();
}

/** The languages whose examples are written from plain parts. */
export const plainWriters = {
  PHP: phpSample,
  Go: goSample,
  Java: javaSample,
  Ruby: rubySample,
  PowerShell: powershellSample,
  Swift: swiftSample,
  'C#': csharpSample,
  '.NET': csharpSample,
  C: (request) => curlProgram(request, ['curl/curl.h']),
  'C++': (request) => curlProgram(request, ['curl/curl.h', 'iostream'], [PRINT_FAULT]),
  Kotlin: kotlinSample,
  Rust: rustSample,
  Dart: dartSample,
} satisfies Partial<Record<SampleLabel, (request: PlainRequest) => string>>;
