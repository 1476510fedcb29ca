import { isScalar, type Message } from './message.ts'
import { parseMessage } from './parse.ts'
import { admissionregistrationV1 } from './tables/admissionregistration-v1.ts'
import { apiextensionsV1 } from './tables/apiextensions-v1.ts'
import { apiregistrationV1 } from './tables/apiregistration-v1.ts'
import { appsV1 } from './tables/apps-v1.ts'
import { authenticationV1 } from './tables/authentication-v1.ts'
import { authorizationV1 } from './tables/authorization-v1.ts'
import { autoscalingV1 } from './tables/autoscaling-v1.ts'
import { autoscalingV2 } from './tables/autoscaling-v2.ts'
import { batchV1 } from './tables/batch-v1.ts'
import { certificatesV1 } from './tables/certificates-v1.ts'
import { coordinationV1 } from './tables/coordination-v1.ts'
import { coreV1 } from './tables/core-v1.ts'
import { discoveryV1 } from './tables/discovery-v1.ts'
import { eventsV1 } from './tables/events-v1.ts'
import { flowcontrolV1 } from './tables/flowcontrol-v1.ts'
import { intstr } from './tables/intstr.ts'
import { metaV1 } from './tables/meta-v1.ts'
import { networkingV1 } from './tables/networking-v1.ts'
import { nodeV1 } from './tables/node-v1.ts'
import { policyV1 } from './tables/policy-v1.ts'
import { rbacV1 } from './tables/rbac-v1.ts'
import { resource } from './tables/resource.ts'
import { runtime } from './tables/runtime.ts'
import { schedulingV1 } from './tables/scheduling-v1.ts'
import { storageV1 } from './tables/storage-v1.ts'

interface Package {
  /** The name in the tables. */
  readonly short: string
  readonly name: string
  readonly table: string
}

const packages: readonly Package[] = [
  { short: 'admissionregistration', name: 'k8s.io.api.admissionregistration.v1', table: admissionregistrationV1 },
  { short: 'apiextensions', name: 'k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1', table: apiextensionsV1 },
  { short: 'apiregistration', name: 'k8s.io.kube_aggregator.pkg.apis.apiregistration.v1', table: apiregistrationV1 },
  { short: 'apps', name: 'k8s.io.api.apps.v1', table: appsV1 },
  { short: 'authentication', name: 'k8s.io.api.authentication.v1', table: authenticationV1 },
  { short: 'authorization', name: 'k8s.io.api.authorization.v1', table: authorizationV1 },
  { short: 'autoscaling-v1', name: 'k8s.io.api.autoscaling.v1', table: autoscalingV1 },
  { short: 'autoscaling-v2', name: 'k8s.io.api.autoscaling.v2', table: autoscalingV2 },
  { short: 'batch', name: 'k8s.io.api.batch.v1', table: batchV1 },
  { short: 'certificates', name: 'k8s.io.api.certificates.v1', table: certificatesV1 },
  { short: 'coordination', name: 'k8s.io.api.coordination.v1', table: coordinationV1 },
  { short: 'core', name: 'k8s.io.api.core.v1', table: coreV1 },
  { short: 'discovery', name: 'k8s.io.api.discovery.v1', table: discoveryV1 },
  { short: 'events', name: 'k8s.io.api.events.v1', table: eventsV1 },
  { short: 'flowcontrol', name: 'k8s.io.api.flowcontrol.v1', table: flowcontrolV1 },
  { short: 'intstr', name: 'k8s.io.apimachinery.pkg.util.intstr', table: intstr },
  { short: 'meta', name: 'k8s.io.apimachinery.pkg.apis.meta.v1', table: metaV1 },
  { short: 'networking', name: 'k8s.io.api.networking.v1', table: networkingV1 },
  { short: 'node', name: 'k8s.io.api.node.v1', table: nodeV1 },
  { short: 'policy', name: 'k8s.io.api.policy.v1', table: policyV1 },
  { short: 'rbac', name: 'k8s.io.api.rbac.v1', table: rbacV1 },
  { short: 'resource', name: 'k8s.io.apimachinery.pkg.api.resource', table: resource },
  { short: 'runtime', name: 'k8s.io.apimachinery.pkg.runtime', table: runtime },
  { short: 'scheduling', name: 'k8s.io.api.scheduling.v1', table: schedulingV1 },
  { short: 'storage', name: 'k8s.io.api.storage.v1', table: storageV1 },
]

const packagesByShort: ReadonlyMap<string, Package> = new Map(packages.map((each) => [each.short, each]))
const packagesByName: ReadonlyMap<string, Package> = new Map(packages.map((each) => [each.name, each]))

/** Tables are split and messages parsed on first use: a start needs few of them. */
const split = new Map<string, ReadonlyMap<string, string>>()
const parsed = new Map<string, Message>()

/**
 * What is known about a message by its full name, such as `k8s.io.api.core.v1.Service`; undefined if it is in no table.
 */
export function findMessage(name: string): Message | undefined {
  const known = parsed.get(name)
  if (known !== undefined) return known
  const home = packageOf(name)
  const text = home && textsOf(home).get(name.slice(home.name.length + 1))
  if (home === undefined || text === undefined) return undefined
  const message = parseMessage(name, text, (type) => fullName(type, home))
  parsed.set(name, message)
  return message
}

/** The same for a message that must exist. */
export function messageNamed(name: string): Message {
  const message = findMessage(name)
  if (message === undefined) throw new Error(`No table has the message ${name}.`)
  return message
}

export function messageNames(): readonly string[] {
  return packages.flatMap((each) => [...textsOf(each).keys()].map((name) => `${each.name}.${name}`))
}

/** `core.Service` for `k8s.io.api.core.v1.Service`: the name in the tables and texts. */
export function shortMessageName(name: string): string {
  const home = packageOf(name)
  if (home === undefined) throw new Error(`No package has the message ${name}.`)
  return home.short + name.slice(home.name.length)
}

function packageOf(name: string): Package | undefined {
  return packagesByName.get(name.slice(0, name.lastIndexOf('.')))
}

function textsOf({ name, table }: Package): ReadonlyMap<string, string> {
  const known = split.get(name)
  if (known !== undefined) return known
  const texts = new Map(
    table
      .trim()
      .split('\n\n')
      .map((text) => [/^\S+/.exec(text)?.[0] ?? '', text]),
  )
  split.set(name, texts)
  return texts
}

function fullName(type: string, home: Package): string {
  if (isScalar(type)) return type
  const dot = type.indexOf('.')
  return dot < 0 ? `${home.name}.${type}` : `${packagesByShort.get(type.slice(0, dot))?.name}${type.slice(dot)}`
}
