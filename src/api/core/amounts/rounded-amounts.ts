import { roundedToThousandths } from '../../quantity.ts'

type Amounts = Readonly<Record<string, string | number>>

/** The smallest unit of a request is a thousandth. */
export function withRoundedAmounts<T extends { readonly limits?: Amounts; readonly requests?: Amounts }>(
  amounts: T,
): T {
  const { limits, requests } = amounts
  if (limits === undefined && requests === undefined) return amounts
  return {
    ...amounts,
    ...(limits && { limits: roundedAmounts(limits) }),
    ...(requests && { requests: roundedAmounts(requests) }),
  }
}

export function roundedAmounts(amounts: Amounts): Amounts {
  return Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, roundedToThousandths(amount)]))
}
