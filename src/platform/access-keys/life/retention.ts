import type { ResourceContext } from '../../../registry/context.ts'
import type { ReportError } from '../../../registry/controllers/controller.ts'
import { ExpiryController } from '../../../registry/controllers/expiry.ts'
import type { StoredDocument } from '../../../registry/document.ts'
import { accessKeyOf } from '../record/access-key.ts'

const intervalMs = 60_000

/**
 * Expired keys are kept for a while, so that their owners can find out why they stopped working, and are then deleted.
 */
export function retention(keys: ResourceContext, retentionSeconds: number, report: ReportError): ExpiryController {
  return new ExpiryController(
    [{ context: keys, expiresAt: (document) => removalMs(document, retentionSeconds) }],
    intervalMs,
    report,
  )
}

export function removalMs(document: StoredDocument, retentionSeconds: number): number | undefined {
  if (!document.contains('Expired"')) return undefined
  const { phase, expiresAt = '' } = accessKeyOf(document.object).status ?? {}
  const endMs = Date.parse(expiresAt)
  return phase !== 'Expired' || Number.isNaN(endMs) ? undefined : endMs + retentionSeconds * 1000
}
