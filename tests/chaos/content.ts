import {
  type Collection,
  configMaps,
  type Draft,
  endpoints,
  secrets,
  services,
  type Thing,
} from '../sync/support/objects.ts'
import type { Place, Plural } from './model.ts'

/** Some configurations have a patch for it. */
export const teamAnnotation = 'example.com/team'

export const collections: Readonly<Record<Plural, Collection>> = {
  endpoints,
  services,
  configmaps: configMaps,
  secrets,
}

export const plurals: readonly Plural[] = ['endpoints', 'services', 'configmaps', 'secrets']

/** The field for the value, for kinds that are synced one way. */
const fields: Readonly<Record<Plural, (value: string) => Readonly<Record<string, unknown>>>> = {
  endpoints: (value) => ({
    subsets: [{ addresses: [{ ip: '10.20.30.40', hostname: value }], ports: [{ port: 80, protocol: 'TCP' }] }],
  }),
  services: (value) => ({ spec: { ports: [{ name: value, port: 80 }] } }),
  configmaps: (value) => ({ data: { value } }),
  secrets: (value) => ({ data: { value: Buffer.from(value).toString('base64') } }),
}

export function contentFields(plural: Plural, value: string): Readonly<Record<string, unknown>> {
  return fields[plural](value)
}

/** The same value read back. Any other content makes it another value. */
export function contentOf(plural: Plural, thing: Thing): string {
  const found = {
    endpoints: () => at(thing, 'subsets', 0, 'addresses', 0, 'hostname'),
    services: () => at(thing, 'spec', 'ports', 0, 'name'),
    configmaps: () => at(thing, 'data', 'value'),
    secrets: () => Buffer.from(String(at(thing, 'data', 'value')), 'base64').toString(),
  }[plural]()
  return plural === 'services' ? String(found) : exactly(plural, thing, String(found))
}

function exactly(plural: Plural, thing: Thing, value: string): string {
  const shown = { subsets: thing.subsets, data: thing.data }
  const meant = { subsets: undefined, data: undefined, ...fields[plural](value) }
  return JSON.stringify(shown) === JSON.stringify(meant) ? value : `something else: ${JSON.stringify(shown)}`
}

function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, step) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, step) : undefined),
    value,
  )
}

export function draft({ plural, namespace, name }: Place, value: string): Draft {
  const more = plural === 'services' ? { spec: { ports: [{ name: value, port: 80 }], selector: { app: 'any' } } } : {}
  return {
    metadata: { namespace, name, labels: { mine: value }, annotations: { [teamAnnotation]: value } },
    ...contentFields(plural, value),
    ...more,
  }
}
