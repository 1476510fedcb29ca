import { ApiError } from '../../api/error.ts'
import type { ObjectName } from '../../patches/contract.ts'
import type { Trouble } from '../contract.ts'

/** A part of the host that refuses objects: how its refusals can be told, and what helps. */
interface Layer {
  readonly name: string
  readonly pattern: RegExp
  readonly help: string
}

const layers: readonly Layer[] = [
  {
    name: 'a ResourceQuota',
    pattern: /exceeded quota: |failed quota: /,
    help: 'delete what is no longer needed, ask for less, or ask the operator of the host for more',
  },
  {
    name: 'a LimitRange',
    pattern: /(maximum|minimum) .* usage per |is forbidden: \[?(maximum|minimum) /,
    help: 'ask for resources within those limits',
  },
  {
    name: 'PodSecurity',
    pattern: /violates PodSecurity/,
    help: 'the namespace of the host is stricter than policies.pods.security in tenant.yaml',
  },
  {
    name: 'an admission webhook',
    pattern: /admission webhook "[^"]+" denied the request/,
    help: 'change what it names, or ask the operator of the host',
  },
  {
    name: 'PriorityClass admission',
    pattern: /no PriorityClass with name/,
    help: 'policies.pods.priorityClasses in tenant.yaml names a class that the host does not have',
  },
  {
    name: 'RuntimeClass admission',
    pattern: /RuntimeClass "[^"]+" not found/,
    help: 'the host does not have this class',
  },
  {
    name: 'authorization',
    pattern: / cannot (create|update|delete|patch) resource /,
    help: 'the operator of the host can give it to the tenant: `tenant create` shows what it needs',
  },
  {
    name: 'validation',
    pattern: / is invalid: /,
    help: 'a host of another version may not take what the virtual cluster takes',
  },
]

/** What a host that refused a copy is told as; nothing for other failures. */
export function refusedByHost(error: unknown, virtual: ObjectName, place: ObjectName): Trouble | undefined {
  if (!(error instanceof ApiError) || (error.code !== 403 && error.code !== 422)) return undefined
  const message = error.message.replaceAll(place.name, virtual.name)
  const layer = layers.find(({ pattern }) => pattern.test(message))
  if (layer === undefined) return { reason: 'RefusedByHost', message: `the host refused it: ${message}` }
  return { reason: 'RefusedByHost', message: `${layer.name} of the host refused it: ${message} (${layer.help})` }
}
