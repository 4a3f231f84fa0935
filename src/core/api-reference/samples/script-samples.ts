import { capitalized, indented, oneLine, type PlainRequest, quoted } from './sample-text.ts';

/** Returns the request as PHP with its cURL functions. */
export function phpSample({ method, url, headers, body }: PlainRequest): string {
  const options = [
    'CURLOPT_RETURNTRANSFER => true',
    `CURLOPT_CUSTOMREQUEST => ${single(method)}`,
    ...(headers.length === 0
      ? []
      : [`CURLOPT_HTTPHEADER => [\n${headers.map(([name, value]) => `    ${single(`${name}: ${value}`)},`).join('\n')}\n  ]`]),
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
export function rubySample({ method, url, headers, body }: PlainRequest): string {
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
export function powershellSample({ method, url, headers, body }: PlainRequest): string {
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
export function dartSample({ method, url, headers, body }: PlainRequest): string {
  const dollar = (text: string) => quoted(text).replaceAll('$', '\\$');
  const lines = [`final request = http.Request(${dollar(method)}, Uri.parse(${dollar(url)}));`];
  if (headers.length > 0) {
    const entries = headers.map(([name, value]) => `  ${dollar(name)}: ${dollar(value)},`);
    lines.push(`request.headers.addAll({\n${entries.join('\n')}\n});`);
  }
  if (body !== undefined) lines.push(`request.body = ${dollar(oneLine(body))};`);
  lines.push('final response = await http.Response.fromStream(await request.send());', 'print(response.body);');
  return `import 'package:http/http.dart' as http;\n\nFuture<void> main() async {\n${indented(lines.join('\n'), '  ')}\n}`;
}
