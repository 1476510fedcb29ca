import type { Schema } from '../../api/schema.ts'
import type { PatchPathElement, Path } from '../path/path.ts'

/** Values of one JSON type. A pair is judged for each type separately: `value + 1` is not meant for text. */
export interface SampleGroup {
  readonly type: string
  readonly values: readonly unknown[]
}

const names = ['web', 'my-service-2', 'a', 'kube-root-ca.crt']
const domainNames = ['web.default.svc.cluster.local', 'web.default.svc', 'example.com', 'a.b.example.org', 'localhost']
const addresses = ['10.0.0.1', '192.168.100.254', '1.1.1.1', 'fd00::1', '2001:db8::ff00:42:8329']
const labelValues = ['', 'web', 'v1.2.3', 'Mixed_Case-9', 'true', '0']
const freeTexts = [
  '',
  'true',
  '42',
  'plain words',
  'UPPER and lower',
  ' blanks around ',
  'two\nlines',
  'a=b,c=d',
  '{"json":["text",1]}',
  'https://example.com/path?query=1#part',
  'größe ✓',
]
const encoded = ['', 'c2VjcmV0', 'YWRtaW46cGFzc3dvcmQ=', 'eyJrZXkiOiJ2YWx1ZSJ9', 'bGluZQpsaW5lCg==']
const whole = [0, 1, 80, 8080, 65_535]
const fractions = [0.5, -1, 1e6]
const booleans = [true, false]
const objects = [{}, { name: 'web' }, { app: 'web', 'example.com/team': 'blue' }, { name: 'web', port: 80 }]
const labelMaps = [{}, { app: 'web' }, { app: 'Web', 'example.com/team': 'blue' }]
const lists = [[], ['web'], ['b', 'a', 'b'], [{ name: 'web' }, { name: 'api' }]]

const everyText = [...new Set([...names, ...domainNames, ...addresses, ...freeTexts, ...encoded])]

/** Sample values for a path, based on what is known about it. Unknown: values of every type. */
export function samplesFor(path: Path, schema?: Schema): readonly SampleGroup[] {
  const known = schema && schemaAt(schema, path)
  const last = lastNameOf(path)
  if (known !== undefined && known.type !== 'any') return byType(known, path, last)
  const texts = textsAt(path, last)
  if (texts !== undefined) return [text(texts)]
  if (isLabelMap(path)) return [{ type: 'object', values: labelMaps }]
  return /port$/i.test(last) ? [number(whole)] : everyGroup
}

const everyGroup: readonly SampleGroup[] = [
  text(everyText),
  number([...whole, ...fractions]),
  { type: 'boolean', values: booleans },
  { type: 'object', values: objects },
  { type: 'array', values: lists },
]

function byType(schema: Schema, path: Path, last: string): readonly SampleGroup[] {
  switch (schema.type) {
    case 'string':
      return textGroups(schema, path, last)
    case 'integer':
      return [number(whole)]
    case 'number':
      return [number([...whole, ...fractions])]
    case 'boolean':
      return [{ type: 'boolean', values: booleans }]
    case 'array':
      return [{ type: 'array', values: lists }]
    default:
      return [{ type: 'object', values: schema.additionalProperties?.type === 'string' ? labelMaps : objects }]
  }
}

function textGroups(schema: Schema, path: Path, last: string): readonly SampleGroup[] {
  if (schema.enum !== undefined) return [text(schema.enum)]
  if (schema.format === 'byte') return [text(encoded)]
  if (schema.format === 'int-or-string') return [number(whole), text(names)]
  return [text(textsAt(path, last) ?? everyText)]
}

/** By the place, then by the name of the field. */
function textsAt(path: Path, last: string): readonly string[] | undefined {
  const [first, second] = path
  if (path.length === 3 && isMember(first, 'metadata') && isMember(second, 'labels')) return labelValues
  if (path.length === 3 && isMember(first, 'metadata') && isMember(second, 'annotations')) {
    return [...freeTexts, ...names, ...domainNames]
  }
  if (path.length === 2 && isMember(first, 'data')) return [...freeTexts, ...encoded]
  if (/ips?$/i.test(last)) return addresses
  if (/(host|hostname|domain|fqdn|dns|server)s?$/i.test(last)) return domainNames
  return /(name|className|namespace)$/i.test(last) ? names : undefined
}

function isLabelMap(path: Path): boolean {
  const [first, second] = path
  return (
    path.length === 2 && isMember(first, 'metadata') && (isMember(second, 'labels') || isMember(second, 'annotations'))
  )
}

function isMember(element: Path[number] | undefined, name: string): boolean {
  return element?.type === 'member' && element.name === name
}

/** The name of a list also names its elements. */
function lastNameOf(path: Path): string {
  const last = path.findLast((element) => element.type === 'member')
  return last?.type === 'member' ? last.name : ''
}

function text(values: readonly string[]): SampleGroup {
  return { type: 'string', values }
}

function number(values: readonly number[]): SampleGroup {
  return { type: 'number', values }
}

/** The schema of a field; undefined if the kind does not have the field. */
function schemaAt(schema: Schema, path: Path): Schema | undefined {
  let current: Schema | undefined = schema
  for (const element of path) {
    if (current === undefined) return undefined
    current = below(current, element)
  }
  return current
}

function below(schema: Schema, element: PatchPathElement): Schema | undefined {
  if (schema.type === 'array') return element.type === 'member' ? undefined : schema.items
  if (element.type === 'wildcard') return schema.additionalProperties
  const name = element.type === 'index' ? String(element.index) : element.name
  const named = schema.properties
  return named !== undefined && Object.hasOwn(named, name) ? named[name] : schema.additionalProperties
}
