import type { ObjectId } from '../../registry/document.ts'
import { admitLink, type LinkAdmission } from '../license/admit-link.ts'
import type { LicenseHolder } from '../license/license-holder.ts'
import type { LinkIndex } from './link-index.ts'
import { isRegistered } from './link-state.ts'

/** Whether the license lets a virtual cluster register. */
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
