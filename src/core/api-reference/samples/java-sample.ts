import { oneLine, type PlainRequest, quoted, quotedWithDollar } from './sample-text.ts';

/** Returns the request as Java with the platform's `HttpClient`. */
export function javaSample(request: PlainRequest): string {
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
export function kotlinSample(request: PlainRequest): string {
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

function builderLines({ method, url, headers, body }: PlainRequest, quote: (text: string) => string): string {
  const publisher = body === undefined ? 'noBody()' : `ofString(${quote(oneLine(body))})`;
  return [
    `.uri(URI.create(${quote(url)}))`,
    ...headers.map(([name, value]) => `.header(${quote(name)}, ${quote(value)})`),
    `.method(${quote(method)}, HttpRequest.BodyPublishers.${publisher})`,
  ]
    .map((line) => `    ${line}`)
    .join('\n');
}
