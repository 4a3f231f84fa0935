import { capitalized, indented, oneLine, type PlainRequest, quoted } from './sample-text.ts';

/** Returns the request as C# with `HttpClient`. */
export function csharpSample({ method, url, headers, body }: PlainRequest): string {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const lines = [
    'using var client = new HttpClient();',
    `using var request = new HttpRequestMessage(HttpMethod.${capitalized(method)}, ${quoted(url)});`,
    ...headers
      .filter(([name]) => name.toLowerCase() !== 'content-type')
      .map(([name, value]) => `request.Headers.TryAddWithoutValidation(${quoted(name)}, ${quoted(value)});`),
  ];
  if (body !== undefined) lines.push(`request.Content = new StringContent(${quoted(oneLine(body))});`);
  if (body !== undefined && type !== undefined)
    lines.push(`request.Content.Headers.ContentType = System.Net.Http.Headers.MediaTypeHeaderValue.Parse(${quoted(type)});`);
  lines.push('var response = await client.SendAsync(request);', 'Console.WriteLine(await response.Content.ReadAsStringAsync());');
  return lines.join('\n');
}

/** Returns the request as Swift with `URLSession`. */
export function swiftSample({ method, url, headers, body }: PlainRequest): string {
  const lines = [
    `var request = URLRequest(url: URL(string: ${quoted(url)})!)`,
    `request.httpMethod = ${quoted(method)}`,
    ...headers.map(([name, value]) => `request.setValue(${quoted(value)}, forHTTPHeaderField: ${quoted(name)})`),
  ];
  if (body !== undefined) lines.push(`request.httpBody = Data(${quoted(oneLine(body))}.utf8)`);
  return `import Foundation

${lines.join('\n')}

let (data, _) = try await URLSession.shared.data(for: request)
print(String(decoding: data, as: UTF8.self))`;
}

/** Returns the request as Rust with the `reqwest` crate. */
export function rustSample({ method, url, headers, body }: PlainRequest): string {
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

/** Returns the request as C with libcurl. */
export function cSample(request: PlainRequest): string {
  return curlProgram(request, ['#include <curl/curl.h>']);
}

/** Returns the request as C++ with libcurl. */
export function cppSample(request: PlainRequest): string {
  return curlProgram(
    request,
    ['#include <curl/curl.h>', '#include <iostream>'],
    ['if (result != CURLE_OK) std::cerr << curl_easy_strerror(result) << std::endl;'],
  );
}

function curlProgram(
  { method, url, headers, body }: PlainRequest,
  includes: readonly string[],
  after: readonly string[] = [],
): string {
  const lines = [
    'CURL *curl = curl_easy_init();',
    ...(headers.length === 0 ? [] : ['struct curl_slist *headers = NULL;']),
    ...headers.map(([name, value]) => `headers = curl_slist_append(headers, ${cText(`${name}: ${value}`)});`),
    `curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, ${cText(method)});`,
    `curl_easy_setopt(curl, CURLOPT_URL, ${cText(url)});`,
    ...(headers.length === 0 ? [] : ['curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);']),
    ...(body === undefined ? [] : [`curl_easy_setopt(curl, CURLOPT_POSTFIELDS, ${cText(oneLine(body))});`]),
    'CURLcode result = curl_easy_perform(curl);',
    ...after,
    ...(headers.length === 0 ? [] : ['curl_slist_free_all(headers);']),
    'curl_easy_cleanup(curl);',
    'return result == CURLE_OK ? 0 : 1;',
  ];
  return `${includes.join('\n')}\n\nint main(void) {\n${indented(lines.join('\n'), '  ')}\n}`;
}

/** Two question marks can start a trigraph in old compilers. */
function cText(text: string): string {
  return quoted(text).replaceAll('??', '?\\?');
}
