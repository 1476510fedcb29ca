import { nanosOf, printQuantity, quantityOf } from '../../quantity.ts'
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '../../types/core-v1.ts'

const classAnnotation = 'volume.beta.kubernetes.io/storage-class'
const wholeUnit = 1_000_000_000n

type Amounts = Readonly<Record<string, string | number>>

export function claimWarnings({ metadata, spec }: PersistentVolumeClaim): readonly string[] {
  const deprecated = `metadata.annotations[${classAnnotation}]: deprecated since v1.8; use "storageClassName" attribute instead`
  return [
    ...(metadata.annotations?.[classAnnotation] === undefined ? [] : [deprecated]),
    ...claimSpecWarnings('spec', spec),
  ]
}

export function claimSpecWarnings(field: string, { resources }: PersistentVolumeClaimSpec): readonly string[] {
  return [
    ...fractionWarnings(`${field}.resources.requests`, resources.requests, ['storage']),
    ...fractionWarnings(`${field}.resources.limits`, resources.limits, ['storage']),
  ]
}

/** Resources counted in bytes, which have no fractions. */
export function fractionWarnings(
  field: string,
  amounts: Amounts | undefined,
  names: readonly string[],
): readonly string[] {
  return names.flatMap((name) => {
    const amount = amounts?.[name]
    if (amount === undefined || nanosOf(amount) % wholeUnit === 0n) return []
    const shown = printQuantity(quantityOf(amount))
    return [`${field}[${name}]: fractional byte value "${shown}" is invalid, must be an integer`]
  })
}
