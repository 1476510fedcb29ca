import { forbidden, refusedBy } from '../../api/error.ts'
import { licenseMissing } from '../../api/link.ts'
import type { ObjectId } from '../../registry/document.ts'
import { admitLink, type LinkAdmission } from '../license/admit-link.ts'
import type { LicenseHolder } from '../license/license-holder.ts'
import type { LinkIndex } from './link-index.ts'
import { isRegistered } from './link-state.ts'

/** Whether the license lets a virtual cluster register or link. */
export function linkAdmission(
  license: LicenseHolder | undefined,
  index: LinkIndex,
  { namespace, name }: ObjectId,
): LinkAdmission {
  if (license === undefined) return { ok: true }
  const state = index.get(namespace, name)
  return admitLink(license.check(), {
    registered: index.registered,
    isRegistered: state !== undefined && isRegistered(state),
  })
}

export interface LicensedLinks {
  /** Absent: no license is needed. */
  readonly license: LicenseHolder | undefined
  readonly index: LinkIndex
}

/** Refuses a virtual cluster that the license does not let register or return. */
export function requireLinkLicense({ license, index }: LicensedLinks, group: string, id: ObjectId): void {
  const admission = linkAdmission(license, index, id)
  if (admission.ok) return
  const causes = [{ reason: licenseMissing, message: admission.message }]
  const resource = { plural: 'virtualclusterinstances', group }
  throw refusedBy('license', forbidden(resource, id.name, admission.message, { causes }))
}
