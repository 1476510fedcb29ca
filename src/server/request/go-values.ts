import { badRequest } from '../../api/error.ts'

/** A boolean query parameter: present means true unless it says otherwise. */
export function goBoolean(value: string | undefined): boolean {
  if (value === undefined) return false
  return value !== '0' && value.toLowerCase() !== 'false'
}

const largestInteger = 9_223_372_036_854_775_807n
const integerForm = /^[+-]?[0-9]{1,40}$/

/**
 * A 64-bit integer in the query. A value that JavaScript cannot represent exactly is capped at the largest safe
 * integer.
 */
export function goInteger(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (!integerForm.test(value)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: invalid syntax`)
  const exact = BigInt(value.startsWith('+') ? value.slice(1) : value)
  if (exact > largestInteger || exact < -largestInteger - 1n) {
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: value out of range`)
  }
  return Math.max(Math.min(Number(exact), Number.MAX_SAFE_INTEGER), Number.MIN_SAFE_INTEGER)
}
