import { pathOf } from './path.ts'

/** The paths of the management API. Its group contains the platform's domain, so it is looked up. */
export interface Management {
  readonly group: string
  readonly apiVersion: string
  path(plural: string, place?: Place): string
}

export interface Place {
  readonly namespace?: string
  readonly name?: string
  readonly subresource?: string
  readonly query?: Readonly<Record<string, string>>
}

export function managementOf(group: string): Management {
  return {
    group,
    apiVersion: `${group}/v1`,
    path: (plural, place = {}) => resourcePath(pathOf('apis', group, 'v1'), plural, place),
  }
}

export function resourcePath(base: string, plural: string, { namespace, name, subresource, query }: Place): string {
  const segments = [
    ...(namespace === undefined ? [] : ['namespaces', namespace]),
    plural,
    ...(name === undefined ? [] : [name]),
    ...(subresource === undefined ? [] : [subresource]),
  ]
  const path = base + pathOf(...segments)
  return query === undefined ? path : `${path}?${new URLSearchParams(query)}`
}

interface GroupList {
  readonly groups?: readonly { readonly name?: string }[]
}

const prefix = 'management.'

/** The management group among those that the platform serves. */
export function managementGroupIn({ groups = [] }: GroupList): string | undefined {
  return groups.map(({ name = '' }) => name).find((name) => name.startsWith(prefix))
}
