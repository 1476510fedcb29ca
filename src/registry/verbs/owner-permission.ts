import { invalid } from '../../api/error.ts'
import { invalidField } from '../../api/field-error.ts'
import { type KubeObject, type OwnerReference, parseApiVersion } from '../../api/object.ts'
import { Pace } from '../../base/pace.ts'
import type { ResourceContext } from '../context.ts'
import type { WriteRequest } from '../contract.ts'

/**
 * A writer that makes an owner wait for this object (`blockOwnerDeletion`) must be allowed to delete the owner, or to
 * change its finalizers.
 */
export async function requireOwnerPermission(
  context: ResourceContext,
  object: KubeObject,
  old: KubeObject | undefined,
  request: WriteRequest,
): Promise<void> {
  const known = new Set(blocking(old).map((reference) => reference.uid))
  const pace = new Pace()
  for (const owner of blocking(object)) {
    await pace.step()
    if (known.has(owner.uid) || (await mayHoldUp(context, object, owner, request))) continue
    throw invalid(context.kind, object.metadata.name ?? '', [
      invalidField(
        'metadata.ownerReferences',
        owner.name,
        `cannot set blockOwnerDeletion: user ${JSON.stringify(request.user.name)} cannot delete ${owner.kind} ${JSON.stringify(owner.name)}`,
      ),
    ])
  }
}

function blocking(object: KubeObject | undefined): readonly OwnerReference[] {
  return object?.metadata.ownerReferences?.filter((reference) => reference.blockOwnerDeletion === true) ?? []
}

/** The right to change the owner's finalizers suffices: controllers have it, but not the right to delete. */
async function mayHoldUp(
  context: ResourceContext,
  object: KubeObject,
  owner: OwnerReference,
  { user, authorize }: WriteRequest,
): Promise<boolean> {
  const { group, version } = parseApiVersion(owner.apiVersion)
  const kind = context.engine.find(group, owner.kind)?.kind
  const resource = kind?.plural ?? `${owner.kind.toLowerCase()}s`
  const namespace = kind?.namespaced === false ? '' : (object.metadata.namespace ?? '')
  const asked = { user, group, version, resource, namespace, name: owner.name }
  const deletion = await authorize({ ...asked, verb: 'delete', subresource: '' })
  if (deletion.verdict === 'allow') return true
  const finalizers = await authorize({ ...asked, verb: 'update', subresource: 'finalizers' })
  return finalizers.verdict === 'allow'
}
