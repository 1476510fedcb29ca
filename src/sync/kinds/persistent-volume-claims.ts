import { isJsonObject } from '../../base/json/member.ts'
import type { SyncKind } from '../contract.ts'
import { genericSync } from './generic.ts'

/** Which volume a claim gets is decided on the host. */
export const persistentVolumeClaimsSync: SyncKind = {
  ...genericSync('persistentVolumeClaims', '', 'persistentvolumeclaims'),
  toHost: ({ spec }) => {
    if (!isJsonObject(spec)) return { spec }
    const { volumeName: _, ...rest } = spec
    return { spec: rest }
  },
  overCopy: ({ spec }, copy) => {
    const volumeName = isJsonObject(copy.spec) ? copy.spec.volumeName : undefined
    return { spec: isJsonObject(spec) && volumeName !== undefined ? { ...spec, volumeName } : spec }
  },
}
