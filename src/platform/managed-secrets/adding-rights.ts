import { forbidden, unreachable } from '../../api/error.ts'
import { placeText } from '../../api/managed-secret.ts'
import type { SecretPlace } from '../../api/types/management.ts'
import type { WriteRequest } from '../../registry/contract.ts'
import type { AskUpstream } from '../proxy/ask-upstream.ts'
import { requireAll } from '../rights.ts'
import { secretAttributes } from './secret-attributes.ts'

export type RequireUpdate = (place: SecretPlace, request: Pick<WriteRequest, 'user' | 'authorize'>) => Promise<void>

/**
 * Throws unless the caller may update the Secret where it is stored. On the platform, its own rights decide; for a
 * cluster, the caller needs the right to use the cluster and a permission by the cluster itself.
 */
export function updateRights(askInside: AskUpstream): RequireUpdate {
  return async (place, { user, authorize }) => {
    const attributes = secretAttributes('update', place, user)
    await requireAll({ authorize }, [attributes])
    if (attributes.target === undefined) return
    const answer = await askInside(attributes)
    if (answer?.allowed === true) return
    const reason = answer?.reason ?? ''
    if (answer?.allowed === undefined) throw unreachable(`${placeText(place)} cannot be asked for: ${reason}`)
    throw forbidden(
      { plural: 'secrets', group: '' },
      place.name ?? '',
      `${user.name} may not update it in cluster ${place.cluster}${reason === '' ? '' : `: ${reason}`}`,
    )
  }
}
