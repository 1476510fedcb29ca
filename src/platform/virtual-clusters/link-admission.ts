import { admitLink, type LinkAdmission } from '../license/admit-link.ts'
import type { LicenseHolder } from '../license/license-holder.ts'
import type { LinkedCluster, LinkIndex } from './link-index.ts'
import { isRegistered } from './link-state.ts'

/** Whether the license lets a virtual cluster register. `isIt`: whether a registered one is that very one. */
export function linkAdmission(
  license: LicenseHolder | undefined,
  index: LinkIndex,
  isIt: (registered: LinkedCluster) => boolean,
): LinkAdmission {
  if (license === undefined) return { ok: true }
  const registered = [...index.all()].filter(({ state }) => isRegistered(state))
  return admitLink(license.check(), { registered: registered.length, isRegistered: registered.some(isIt) })
}
