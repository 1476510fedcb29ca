import { parseApiVersion } from '../../api/object.ts'
import { asObjects, asText } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { ResourceType } from '../contract.ts'

/** They become parts of paths, so other names are left out. */
const groupName = /^$|^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/
const versionName = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const resourceName = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/
const kindName = /^[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

function isNamed({ group, version, resource, kind }: ResourceType): boolean {
  return groupName.test(group) && versionName.test(version) && resourceName.test(resource) && kindName.test(kind)
}

/** The resources of one version of a group, from `/api/v1` or `/apis/<group>/<version>`. */
export function resourcesOfVersion(body: Readonly<Record<string, unknown>>): readonly ResourceType[] {
  const { group, version } = parseApiVersion(asText(body.groupVersion))
  const entries = asObjects(body.resources)
  const names = new Set(entries.map(({ name }) => asText(name)))
  return entries
    .filter(({ name }) => !asText(name).includes('/'))
    .map((entry) => ({
      // An entry may belong to another group than the one it is served under.
      group: asText(entry.group) || group,
      version: asText(entry.version) || version,
      resource: asText(entry.name),
      kind: asText(entry.kind),
      namespaced: entry.namespaced === true,
      hasStatus: names.has(`${asText(entry.name)}/status`),
    }))
    .filter(isNamed)
}

/** `group/version` of everything below `/apis`, the preferred version of a group first. */
export function groupVersions(body: Readonly<Record<string, unknown>>): readonly string[] {
  return asObjects(body.groups).flatMap(({ preferredVersion, versions }) => {
    const preferred = isJsonObject(preferredVersion) ? asText(preferredVersion.groupVersion) : ''
    const all = asObjects(versions).map(({ groupVersion }) => asText(groupVersion))
    return [...new Set([preferred, ...all])].filter(isApiVersion)
  })
}

function isApiVersion(text: string): boolean {
  const { group, version } = parseApiVersion(text)
  return group !== '' && groupName.test(group) && versionName.test(version)
}

/** Everything in one answer, as servers since 1.26 send it; undefined for any other answer. */
export function aggregatedResources(body: Readonly<Record<string, unknown>>): readonly ResourceType[] | undefined {
  if (body.kind !== 'APIGroupDiscoveryList') return undefined
  return asObjects(body.items).flatMap(({ metadata, versions }) => {
    const group = isJsonObject(metadata) ? asText(metadata.name) : ''
    return asObjects(versions).flatMap(({ version, resources }) =>
      asObjects(resources)
        .map((entry) => aggregatedResource(entry, group, asText(version)))
        .filter(isNamed),
    )
  })
}

/** The versions that aggregated discovery reports as stale: groups that other servers serve. */
export function staleVersions(body: Readonly<Record<string, unknown>>): readonly string[] {
  return asObjects(body.items).flatMap(({ metadata, versions }) => {
    const group = isJsonObject(metadata) ? asText(metadata.name) : ''
    const stale = asObjects(versions).filter(({ freshness }) => freshness === 'Stale')
    return stale.map(({ version }) => `${group}/${asText(version)}`).filter(isApiVersion)
  })
}

function aggregatedResource(entry: Record<string, unknown>, group: string, version: string): ResourceType {
  const { resource, responseKind, scope, subresources } = entry
  return {
    group,
    version,
    resource: asText(resource),
    kind: isJsonObject(responseKind) ? asText(responseKind.kind) : '',
    namespaced: scope === 'Namespaced',
    hasStatus: asObjects(subresources).some(({ subresource }) => subresource === 'status'),
  }
}
