import { forbidden, invalid } from '../api/error.ts'
import { forbiddenField } from '../api/field-error.ts'
import type { Kind } from '../api/kind.ts'
import type { CustomResourceDefinition } from '../api/types/apiextensions-v1.ts'
import { checkEscalation } from '../auth/rbac/escalation.ts'
import type { RbacIndex } from '../auth/rbac/rbac-index.ts'
import { admissionHooks } from '../registry/admission/admission-hooks.ts'
import type { AdmissionPlugin } from '../registry/admission/contract.ts'
import { apiServiceLimit } from '../registry/aggregation/api-service-limit.ts'
import { followedAddressHooks } from '../registry/allocation/followed-addresses.ts'
import type { ServiceAllocator } from '../registry/allocation/service-allocator.ts'
import { certificateRequestHooks } from '../registry/certificates/request-hooks.ts'
import type { Engine, Hooks } from '../registry/context.ts'
import { isConvertedByWebhook, storedVersionOf } from '../registry/custom-resources/defined-kinds.ts'
import { bindingRightHooks, policyRightHooks } from '../registry/policies/param-rights.ts'
import type { QuotaCharges } from '../registry/resource-quota/quota-charges.ts'
import { quotaRoom } from '../registry/resource-quota/quota-room.ts'

export interface HookParts {
  readonly rbac: RbacIndex
  readonly allocator: ServiceAllocator
  readonly engine: Engine
  readonly quotas: QuotaCharges
}

type MakeHooks = (kind: Kind, parts: HookParts) => Hooks

/** Hooks of kinds besides their strategy, by `Kind` in the core group and `Kind.group` elsewhere. */
export type HookTable = Readonly<Record<string, MakeHooks>>

const protectedNamespaces: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public'])

export const namespaceProtection: MakeHooks = (kind) => ({
  admitDelete: ({ metadata }) => {
    if (!protectedNamespaces.has(metadata.name ?? '')) return
    throw forbidden(kind, metadata.name ?? '', 'this namespace may not be deleted')
  },
})

export const addressAllocation: MakeHooks = (_, { allocator }) => allocator.hooks()

/** Addresses of Services belong to another cluster, and this user fills them in. The kind of Services must allow it. */
export function addressesFilledInBy(user: string, areAssigned: () => boolean): MakeHooks {
  return (_, { allocator }) => followedAddressHooks(user, allocator.hooks(), areAssigned)
}

export const quotaLimit: MakeHooks = (kind, { engine }) => quotaRoom(kind, engine)

export const apiServers: MakeHooks = (kind, { engine }) => apiServiceLimit(kind, engine)

export const certificateRequests: MakeHooks = (kind, { engine }) => certificateRequestHooks(kind, engine.clock)

/**
 * Objects that a webhook converts stay in the version in which they were written, so that version cannot be removed
 * while there are any.
 */
export const storedVersionProtection: MakeHooks = (kind, { engine }) => ({
  admitUpdate: (object, old) => {
    requireStoredVersion(kind, old.object as CustomResourceDefinition, object as CustomResourceDefinition, engine)
    return { object }
  },
})

function requireStoredVersion(
  kind: Kind,
  old: CustomResourceDefinition,
  changed: CustomResourceDefinition,
  engine: Engine,
): void {
  const version = storedVersionOf(old)
  if (!isConvertedByWebhook(old) && !isConvertedByWebhook(changed)) return
  if (storedVersionOf(changed) === version) return
  const { size } = engine.find(old.spec.group, old.status.acceptedNames.kind)?.cache ?? { size: 0 }
  if (size === 0) return
  const remedy = isConvertedByWebhook(changed)
    ? 'remove it from the list when there are none'
    : 'make it the storage version before the webhook is taken away'
  const problem = `objects are still stored as ${version} (${size}): ${remedy}`
  throw invalid(kind, old.metadata.name ?? '', [forbiddenField('status.storedVersions', problem)])
}

/** Writers of policies can see their params, so they need the right to read them. */
export const policyRights: MakeHooks = (kind, { engine }) => policyRightHooks(kind, engine)
export const bindingRights: MakeHooks = (kind, { engine }) => bindingRightHooks(kind, engine)

export const escalationCheck: MakeHooks = (_, { rbac }) => escalationHooks(rbac)

/** The cluster's rules for a kind, and the kind's own hooks. */
export function hooksFor(kind: Kind, tables: HookTables, parts: HookParts): Hooks {
  const name = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`
  const reserve = parts.quotas.reserving(kind)
  return {
    ...admissionHooks(kind, tables.admission, parts.engine),
    ...(reserve && { reserve }),
    ...tables.hooks[name]?.(kind, parts),
  }
}

interface HookTables {
  readonly hooks: HookTable
  readonly admission: readonly AdmissionPlugin[]
}

/** Users can grant only rights that they have. */
function escalationHooks(index: RbacIndex): Hooks {
  return {
    permit: (object, old, request) => checkEscalation(index, request, object, old),
  }
}
