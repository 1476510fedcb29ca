import { ApiError, isRefusal } from '../../../api/error.ts'
import { saysGone } from '../../../client/says-gone.ts'
import type { ObjectName } from '../../../patches/contract.ts'
import type { Trouble } from '../../contract.ts'
import { SyncTrouble } from './failure.ts'

/** A layer of the host that refuses objects: how to recognize its refusals, and what helps. */
interface Layer {
  readonly name: string
  readonly pattern: RegExp
  readonly help: string
}

/** Webhooks choose the code of their refusal, and one that cannot be called refuses as well. */
const webhooks = /admission webhook "[^"]+" denied the request|failed calling webhook "/

/** The rest reveals its location in the host's network. */
const unreachableHook = /(failed calling webhook "[^"]*").*/s

const quotas = /exceeded quota: |failed quota: /

const layers: readonly Layer[] = [
  {
    name: 'a ResourceQuota',
    pattern: quotas,
    help: 'delete unneeded objects, request less, or ask the operator of the host for more',
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
    pattern: webhooks,
    help: 'change the reference, or ask the operator of the host',
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

/** What quotas of the host allow more of than before; anything, if one was deleted. */
export type QuotaRoom = 'anything' | ReadonlySet<string>

/**
 * Whether the trouble may end when quotas of the host have that room. Quotas name what they refuse. Room for anything
 * else is not enough: the Secret of a refused Pod is deleted, which makes room for a Secret.
 */
export function isRefusedByQuota({ message }: Trouble, room: QuotaRoom): boolean {
  if (!quotas.test(message)) return false
  return room === 'anything' || lackingIn(message).some((name) => room.has(name))
}

const exceeded = /exceeded quota: [^\s,]+, requested: (\S+), used: /
const notSpecified = /failed quota: [^\s:]+: must specify ([^(]+)/

/** The names of what is lacking. Quotas, and containers of tenants, may also be named `secrets`. */
function lackingIn(message: string): readonly string[] {
  const requested = exceeded.exec(message)?.[1]
  if (requested !== undefined) return requested.split(',').map((amount) => amount.split('=', 1).join(''))
  const missing = notSpecified.exec(message)?.[1] ?? ''
  return missing.split(';').flatMap((part) => part.split(' for: ', 1).join('').trim().split(','))
}

/** The same for a part of a copy, which stays unchanged. */
export function partRefusedByHost(
  error: unknown,
  resource: string,
  virtual: ObjectName,
  place: ObjectName,
): SyncTrouble | undefined {
  if (isRefusal(error, 404) && !saysGone(error, place)) {
    const message = `the host does not serve ${resource}, so that the copy stays as it is; a later version of Kubernetes does`
    return new SyncTrouble({ reason: 'NotServedByHost', message })
  }
  const trouble = refusedByHost(error, virtual, place)
  return trouble && new SyncTrouble({ ...trouble, message: `${resource}: ${trouble.message}` })
}

/** A host may repeat what a tenant wrote, and Events are shorter: patterns are matched only against this much. */
const longestTold = 4_096

const refusals: ReadonlySet<number> = new Set([400, 403, 422])

/** The trouble to report when the host refused a copy; undefined for other failures. */
export function refusedByHost(error: unknown, virtual: ObjectName, place: ObjectName): Trouble | undefined {
  if (!(error instanceof ApiError) || !(refusals.has(error.code) || webhooks.test(error.message.slice(0, longestTold))))
    return undefined
  const message = error.message
    .slice(0, longestTold)
    .replaceAll(place.name, virtual.name)
    .replace(unreachableHook, '$1')
  const layer = layers.find(({ pattern }) => pattern.test(message))
  if (layer === undefined) return { reason: 'RefusedByHost', message: `the host refused it: ${message}` }
  return { reason: 'RefusedByHost', message: `${layer.name} of the host refused it: ${message} (${layer.help})` }
}
