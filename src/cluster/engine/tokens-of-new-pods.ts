import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Pod } from '../../api/types/core-v1.ts'
import type { TokenGrant } from '../../auth/service-account-issuer.ts'
import type { FindObject } from '../../auth/service-account-tokens.ts'
import type { TokensAhead } from '../../auth/tokens-ahead.ts'
import type { Hooks } from '../../registry/context.ts'
import { tokenTrouble } from '../../sync/companions/tokens/token-limits.ts'
import { wantedEntries } from '../../sync/companions/tokens/wanted-tokens.ts'

export interface AheadParts {
  readonly ahead: TokensAhead
  readonly findObject: FindObject
  readonly serverAudiences: readonly string[]
  /** Whether the tokens of a new Pod will be requested at once. */
  readonly areAskedFor: () => boolean
}

/** Signs the tokens of a Pod while it is stored, because its copy on the host waits for them. */
export function withTokensAhead(kind: Kind, hooks: Hooks, parts: AheadParts): Hooks {
  if (kind.group !== '' || kind.kind !== 'Pod') return hooks
  return {
    ...hooks,
    review: async (object, old, request) => {
      await hooks.review?.(object, old, request)
      if (old !== undefined || request.dryRun || !parts.areAskedFor()) return
      for (const grant of await grantsOf(object, parts)) parts.ahead.begin(grant)
    },
  }
}

/**
 * The grants that the syncer will request. None for a Pod that already has a node, because its tokens are bound to
 * that, too.
 */
async function grantsOf(object: KubeObject, { findObject, serverAudiences }: AheadParts): Promise<TokenGrant[]> {
  const pod = object as Pod
  const { namespace = '', name = '', uid = '' } = pod.metadata
  const wanted = wantedEntries(pod)
  if (wanted === undefined || tokenTrouble(wanted) !== undefined || pod.spec.nodeName) return []
  const account = await findObject('ServiceAccount', namespace, pod.spec.serviceAccountName ?? '')
  if (account === undefined) return []
  const serviceAccount = { name: account.metadata.name ?? '', uid: account.metadata.uid ?? '' }
  return wanted.tokens.map(({ audience, seconds: expirationSeconds }) => ({
    namespace,
    serviceAccount,
    audiences: audience === '' ? serverAudiences : [audience],
    expirationSeconds,
    boundTo: [{ kind: 'Pod' as const, name, uid }],
  }))
}
