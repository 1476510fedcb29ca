import type { KubeObject } from '../../api/object.ts'
import { asMembers, asObjects, asText } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { ObjectFields, Reference, SyncKind } from '../contract.ts'
import { genericSync } from './generic.ts'
import { checkedObjectsIn } from './lists.ts'

type Rename = (kind: 'Service' | 'Secret', name: string) => string

/** Backends and certificates get their names on the host. */
export const ingressesSync: SyncKind = {
  ...genericSync('ingresses', 'networking.k8s.io', 'ingresses'),
  toHost: ({ spec, metadata }, { names }) => ({
    spec: renamed(spec, (_kind, name) => names.of(metadata.namespace ?? '', name).name),
  }),
  references: referencesIn,
  leadsTo: namedOnce,
  refersTo: [
    { group: '', resource: 'services' },
    { group: '', resource: 'secrets' },
  ],
}

function referencesIn({ spec, metadata: { namespace = '' } }: KubeObject): readonly Reference[] {
  const found: Reference[] = []
  renamed(spec, (kind, name) => {
    found.push({ apiVersion: 'v1', kind, namespace, name })
    return name
  })
  return found
}

/** Each object once, however many paths lead to it, because the host is asked about each. */
function namedOnce(virtual: KubeObject): readonly Reference[] {
  const named = [...referencesIn(virtual), ...resourcesIn(virtual)]
  return [...new Map(named.map((each) => [`${each.apiVersion} ${each.kind} ${each.name}`, each])).values()]
}

/** Backends that are no Services. They name no version. */
function resourcesIn({ spec, metadata: { namespace = '' } }: KubeObject): readonly Reference[] {
  const { defaultBackend, rules } = asMembers(spec)
  const paths = asObjects(rules).flatMap(({ http }) => asObjects(asMembers(http).paths))
  return [asMembers(defaultBackend), ...paths.map(({ backend }) => asMembers(backend))].flatMap(({ resource }) => {
    const { apiGroup, kind, name } = asMembers(resource)
    if (typeof kind !== 'string' || typeof name !== 'string') return []
    return [{ apiVersion: asText(apiGroup) === '' ? 'v1' : `${asText(apiGroup)}/v1`, kind, namespace, name }]
  })
}

function renamed(spec: unknown, rename: Rename): unknown {
  if (!isJsonObject(spec)) return spec
  const { defaultBackend, rules, tls } = spec
  return {
    ...spec,
    ...(isJsonObject(defaultBackend) && { defaultBackend: renamedBackend(defaultBackend, rename) }),
    ...(Array.isArray(rules) && {
      rules: checkedObjectsIn<ObjectFields>(rules)?.map((rule) => renamedRule(rule, rename)),
    }),
    ...(Array.isArray(tls) && {
      tls: checkedObjectsIn<ObjectFields>(tls)?.map((each) => renamedCertificate(each, rename)),
    }),
  }
}

function renamedRule(rule: ObjectFields, rename: Rename): ObjectFields {
  const { http } = rule
  if (!isJsonObject(http)) return rule
  const paths = checkedObjectsIn<ObjectFields>(http.paths)?.map((path) =>
    isJsonObject(path.backend) ? { ...path, backend: renamedBackend(path.backend, rename) } : path,
  )
  return { ...rule, http: { ...http, ...(paths && { paths }) } }
}

function renamedBackend(backend: ObjectFields, rename: Rename): ObjectFields {
  const { service } = backend
  if (!isJsonObject(service) || typeof service.name !== 'string') return backend
  return { ...backend, service: { ...service, name: rename('Service', service.name) } }
}

function renamedCertificate(tls: ObjectFields, rename: Rename): ObjectFields {
  const { secretName } = tls
  return typeof secretName === 'string' && secretName !== ''
    ? { ...tls, secretName: rename('Secret', secretName) }
    : tls
}
