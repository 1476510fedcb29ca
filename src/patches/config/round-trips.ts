import { coreSchemaOf } from '../../api/core/kinds.ts'
import { effectiveConfig } from '../../api/tenant-config/defaults.ts'
import type { ConfigDocument } from '../../api/tenant-config/document.ts'
import { patchListsOf } from '../../api/tenant-config/patch-lists.ts'
import type { Problem } from '../../api/tenant-config/problem.ts'
import type { TenantConfig } from '../../api/tenant-config/types.ts'
import type { ServiceTranslation } from '../../expression/contract.ts'
import { roundTripWarningsOf } from '../round-trip/config-warnings.ts'

/** Warnings for pairs of expressions that do not cancel out. The sandbox is started only if there is a pair. */
export async function checkRoundTrips(
  document: ConfigDocument,
  config: TenantConfig,
  signal?: AbortSignal,
): Promise<readonly Problem[]> {
  if (!hasPairs(document)) return []
  const { createExpressionEngine } = await import('../../expression/engine.ts')
  const engine = createExpressionEngine({ virtualToHostDNS: unknownTenant, ...(signal && { signal }) })
  try {
    const vcluster = { name: 'sample', namespace: 'sample', config: effectiveConfig(config) }
    return await roundTripWarningsOf(document, { engine, vcluster, schemaOf: coreSchemaOf })
  } finally {
    await engine.close()
  }
}

function hasPairs(document: ConfigDocument): boolean {
  return patchListsOf(document).some(({ patches }) =>
    patches.some((patch) => patch.expression !== undefined && patch.reverseExpression !== undefined),
  )
}

/** A file does not name its tenant, and the answer would differ between tenants. */
function unknownTenant(): ServiceTranslation {
  return { ok: false, message: 'the tenant is not known here' }
}
