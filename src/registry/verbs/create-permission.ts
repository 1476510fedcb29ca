import type { ResourceAttributes } from '../../api/access.ts'
import { forbiddenFor } from '../../api/forbidden.ts'
import type { ResourceContext } from '../context.ts'
import type { NamedTarget, WriteRequest } from '../contract.ts'

/**
 * A PUT or an apply without an existing object creates one, which requires the right to create it besides the right to
 * change it.
 */
export async function requireCreatePermission(
  { kind: { group, version, plural: resource } }: ResourceContext,
  { namespace, name }: NamedTarget,
  request: WriteRequest,
): Promise<void> {
  const { user } = request
  const attributes: ResourceAttributes = {
    user,
    verb: 'create',
    group,
    version,
    resource,
    subresource: '',
    namespace,
    name,
  }
  const decision = await request.authorize(attributes)
  if (decision.verdict !== 'allow') throw forbiddenFor(attributes, decision)
}
