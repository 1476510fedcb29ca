import { parseApiVersion } from '../../api/object.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { ResourceType } from '../contract.ts'

/** They become parts of paths. What is named otherwise is left out. */
const groupName = /^$|^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/
const versionName = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const resourceName = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/
const kindName = /^[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

function isNamed({ group, version, resource, kind }: ResourceType): boolean {
  return groupName.test(group) && versionName.test(version) && resourceName.test(resource) && kindName.test(kind)
}

/** What one version of a group serves, as `/api/v1` and `/apis/<group>/<version>` tell it. */
export function resourcesOfVersion(body: Readonly<Record<string, unknown>>): readonly ResourceType[] {
  const { group, version } = parseApiVersion(textOf(body.groupVersion))
  const entries = objectsIn(body.resources)
  const names = new Set(entries.map(({ name }) => textOf(name)))
  return entries
    .filter(({ name }) => !textOf(name).includes('/'))
    .map((entry) => ({
      // An entry may be of another group than the one it is served below.
      group: textOf(entry.group) || group,
      version: textOf(entry.version) || version,
      resource: textOf(entry.name),
      kind: textOf(entry.kind),
      namespaced: entry.namespaced === true,
      hasStatus: names.has(`${textOf(entry.name)}/status`),
    }))
    .filter(isNamed)
}

/** `group/version` of everything below `/apis`, the preferred version of a group before its others. */
export function groupVersions(body: Readonly<Record<string, unknown>>): readonly string[] {
  return objectsIn(body.groups).flatMap(({ preferredVersion, versions }) => {
    const preferred = isJsonObject(preferredVersion) ? textOf(preferredVersion.groupVersion) : ''
    const all = objectsIn(versions).map(({ groupVersion }) => textOf(groupVersion))
    return [...new Set([preferred, ...all])].filter(isApiVersion)
  })
}

function isApiVersion(text: string): boolean {
  const { group, version } = parseApiVersion(text)
  return group !== '' && groupName.test(group) && versionName.test(version)
}

/** Everything in one answer, as servers since 1.26 tell it; undefined for what is no such answer. */
export function aggregatedResources(body: Readonly<Record<string, unknown>>): readonly ResourceType[] | undefined {
  if (body.kind !== 'APIGroupDiscoveryList') return undefined
  return objectsIn(body.items).flatMap(({ metadata, versions }) => {
    const group = isJsonObject(metadata) ? textOf(metadata.name) : ''
    return objectsIn(versions).flatMap(({ version, resources }) =>
      objectsIn(resources)
        .map((entry) => aggregatedResource(entry, group, textOf(version)))
        .filter(isNamed),
    )
  })
}

/** What a server that tells everything in one answer does not know at the moment: a group that others serve for it. */
export function staleVersions(body: Readonly<Record<string, unknown>>): readonly string[] {
  return objectsIn(body.items).flatMap(({ metadata, versions }) => {
    const group = isJsonObject(metadata) ? textOf(metadata.name) : ''
    const stale = objectsIn(versions).filter(({ freshness }) => freshness === 'Stale')
    return stale.map(({ version }) => `${group}/${textOf(version)}`).filter(isApiVersion)
  })
}

function aggregatedResource(entry: Record<string, unknown>, group: string, version: string): ResourceType {
  const { resource, responseKind, scope, subresources } = entry
  return {
    group,
    version,
    resource: textOf(resource),
    kind: isJsonObject(responseKind) ? textOf(responseKind.kind) : '',
    namespaced: scope === 'Namespaced',
    hasStatus: objectsIn(subresources).some(({ subresource }) => subresource === 'status'),
  }
}

function objectsIn(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
