/** What API servers answer with. Nothing of it is a page, a style or a script to a browser. */
const apiTypes: ReadonlySet<string> = new Set([
  ...['application/json', 'application/yaml', 'application/cbor', 'application/cbor-seq', 'application/octet-stream'],
  ...['application/vnd.kubernetes.protobuf', 'text/plain', 'application/openmetrics-text'],
  ...[
    'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
    'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
    'application/com.github.proto-openapi.spec.v3.v1.0+protobuf',
  ],
])

const bytes = 'application/octet-stream'
const plain = /^[\x20-\x7e]{1,200}$/

/** The type under which the platform hands on what an API behind it sent: anything else is bytes, whatever it claims. */
export function passedType(values: readonly string[]): string {
  const [value = '', ...others] = values
  const [essence = ''] = value.split(';', 1)
  const isKnown = others.length === 0 && plain.test(value) && apiTypes.has(essence.trim().toLowerCase())
  return isKnown ? value : bytes
}
