import { shown } from '../../../api/tenant-config/wording.ts'
import type { CSIVolumeSource, PodSpec } from '../../../api/types/core-v1.ts'
import { asMembers } from '../../../base/json/lenient.ts'
import { mayNameCopy } from '../../names/host-name.ts'
import type { FieldContext, Refusal } from '../contract.ts'
import { heldPod, type JudgedPod, podsAllowedWith } from './rule.ts'

/** The drivers that a Pod may use in its own volumes, and what it may tell them. */
export function volumeDrivers(spec: PodSpec, { pods, setting }: FieldContext): JudgedPod {
  const refusals = (spec.volumes ?? []).flatMap(({ csi }, index): readonly Refusal[] => {
    if (csi === undefined) return []
    const field = `spec.volumes[${index}].csi`
    if (pods.csiDrivers.allowed.includes(csi.driver)) return setting.names.multiNamespace ? [] : namedCopies(csi, field)
    const reason = `the driver ${shown(String(csi.driver))} may not be used in a Pod`
    return [{ rule: 'csiDrivers', field, reason, remedy: podsAllowedWith('csiDrivers.allowed') }]
  })
  return heldPod(spec, ...refusals)
}

/**
 * A driver looks for what attributes name in the namespace of the copy, where other tenants may have copies as well.
 * Patches run later, so the operator can have names translated.
 */
function namedCopies({ volumeAttributes }: CSIVolumeSource, field: string): readonly Refusal[] {
  return Object.entries(asMembers(volumeAttributes)).flatMap(([key, value]): readonly Refusal[] => {
    if (typeof value !== 'string' || !mayNameCopy(value)) return []
    const reason = `${shown(value)} may name an object of another tenant on the host`
    const remedy = 'name an object of the virtual cluster, and let a patch with a reference translate the name'
    return [{ rule: 'csiDrivers', field: `${field}.volumeAttributes[${JSON.stringify(key)}]`, reason, remedy }]
  })
}
