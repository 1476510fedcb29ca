import type { LimitRangeItem } from '../../../api/types/core-v1.ts'

/** LimitRanges of one namespace that are checked for each of its Pods and claims. */
export const mostLimitRanges = 100

/** For all of them together: they are read for each Pod and claim. */
export const mostLimitRangeBytes = 512 * 1024

/** Amounts in LimitRanges times containers, counting both defaults and bounds. */
const mostAmounts = 20_000

/** Why so many containers cannot be checked against these rules; undefined if they can. */
export function effortProblem(rules: readonly LimitRangeItem[], containers: number): string | undefined {
  const amounts = rules.reduce((sum, rule) => sum + amountCount(rule), 0)
  if (amounts * containers <= mostAmounts) return undefined
  return `the LimitRanges of the namespace name ${amounts} amounts for each of ${containers} containers, and ${mostAmounts} in all is the most that is looked at: use fewer of either`
}

function amountCount({ min = {}, max = {}, default: limit = {}, ...more }: LimitRangeItem): number {
  const { defaultRequest = {}, maxLimitRequestRatio = {} } = more
  const maps = [min, max, limit, defaultRequest, maxLimitRequestRatio]
  return maps.reduce((sum, amounts) => sum + Object.keys(amounts).length, 0)
}
