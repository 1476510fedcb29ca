import { type CelResult, celUint, failure, isFailure } from '../value.ts'

const int64 = 2n ** 63n
const uint64 = 2n ** 64n

export function checkedInt(value: bigint): CelResult {
  return value >= -int64 && value < int64 ? value : failure('integer overflow')
}

export function checkedUint(value: bigint): CelResult {
  return value >= 0n && value < uint64 ? celUint(value) : failure('unsigned integer overflow')
}

export function divided(left: bigint, right: bigint, checked: (value: bigint) => CelResult): CelResult {
  return right === 0n ? failure('division by zero') : checked(left / right)
}

export function remainder(left: bigint, right: bigint, checked: (value: bigint) => CelResult): CelResult {
  if (right === 0n) return failure('modulus by zero')
  const quotient = checked(left / right)
  return isFailure(quotient) ? quotient : checked(left % right)
}

const nanosecondsPerSecond = 1_000_000_000n
/** From the year 1 to the end of 9999. */
const earliest = -62_135_596_800n * nanosecondsPerSecond
const latest = 253_402_300_800n * nanosecondsPerSecond

export function checkedTimestamp(nanoseconds: bigint): CelResult {
  if (nanoseconds < earliest || nanoseconds >= latest) return failure('timestamp overflow')
  return { kind: 'timestamp', nanoseconds }
}

export function checkedDuration(nanoseconds: bigint): CelResult {
  return nanoseconds >= -int64 && nanoseconds < int64 ? { kind: 'duration', nanoseconds } : failure('duration overflow')
}

export function durationBetween(left: bigint, right: bigint): CelResult {
  return checkedDuration(left - right)
}
