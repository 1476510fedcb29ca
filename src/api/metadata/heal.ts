import type { Kind } from '../kind.ts'
import type { ManagedFieldsEntry, ObjectMeta } from '../object.ts'

type Scope = Pick<Kind, 'namespaced'>

/** No longer set or stored, but old files still contain it. */
type Sent = ObjectMeta & { readonly selfLink?: unknown }

/**
 * Restores the server's own fields in an update: they come from the stored object, whatever the client sent or omitted.
 * Values that indicate a mistake stay as sent, so that validation refuses them: another uid or namespace, and deletion
 * fields on an object that is not being deleted. Returns the same metadata if nothing is wrong.
 */
export function healMetadata(kind: Scope, sent: Sent, old: ObjectMeta): ObjectMeta {
  const owned: Owned = {
    namespace: kind.namespaced ? sent.namespace || old.namespace : undefined,
    uid: sent.uid || old.uid,
    generation: old.generation,
    creationTimestamp: old.creationTimestamp,
    deletionTimestamp: old.deletionTimestamp ?? sent.deletionTimestamp,
    deletionGracePeriodSeconds: sent.deletionGracePeriodSeconds ?? old.deletionGracePeriodSeconds,
    managedFields: healedManagedFields(sent.managedFields, old.managedFields),
  }
  return isHealthy(sent, owned) ? sent : withOwned(sent, owned)
}

type OwnedField = (typeof ownedFields)[number]
type Owned = { readonly [Field in OwnedField]: ObjectMeta[Field] | undefined }

const ownedFields = [
  'namespace',
  'uid',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
] as const

function isHealthy(sent: Sent, owned: Owned): boolean {
  return sent.selfLink === undefined && ownedFields.every((field) => sent[field] === owned[field])
}

function withOwned(sent: Sent, owned: Owned): ObjectMeta {
  const { selfLink: _, ...healed } = { ...sent, ...owned }
  const present = Object.entries(healed).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present)
}

/** Clients that do not know managedFields omit them and thereby keep them; one empty entry resets them. */
function healedManagedFields(
  sent: readonly ManagedFieldsEntry[] | undefined,
  old: readonly ManagedFieldsEntry[] | undefined,
): readonly ManagedFieldsEntry[] | undefined {
  if (sent === undefined || sent.length === 0) return old
  return isReset(sent) ? undefined : sent
}

function isReset(entries: readonly ManagedFieldsEntry[]): boolean {
  const [only, ...others] = entries
  return only !== undefined && others.length === 0 && Object.keys(only).length === 0
}
