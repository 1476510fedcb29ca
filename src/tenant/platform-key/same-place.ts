import type { PlatformKey } from './contract.ts'

/** Whether both keys are for the same virtual cluster at the same platform. */
export function leadToSamePlace(left: PlatformKey, right: PlatformKey): boolean {
  return (
    left.url === right.url &&
    left.project === right.project &&
    left.name === right.name &&
    left.insecure === right.insecure &&
    left.certificateAuthority === right.certificateAuthority
  )
}
