type Headers = Readonly<Record<string, string | string[]>>

const ascii = /^[\t\x20-\x7e]*$/

/** Values go over the line as UTF-8, as kubectl sends them. HTTP libraries take one character for each byte. */
export function inBytes(headers: Headers): Headers {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.map(bytesOf) : bytesOf(value)]),
  )
}

function bytesOf(value: string): string {
  return ascii.test(value) ? value : Buffer.from(value, 'utf8').toString('latin1')
}
