import { parseQuantity, printQuantity, type Quantity } from '../../../api/quantity.ts'

/** Amounts of resources by name, as they stand in objects. */
export type Amounts = Readonly<Record<string, string | number>>

export function nanosOf(amount: string | number): bigint {
  return quantityOf(amount).nanos
}

/** The one way to write an amount. */
export function printedAmount(amount: string | number): string {
  return printQuantity(quantityOf(amount))
}

export function sumOf(all: readonly Amounts[]): Amounts {
  return merged(all, (left, right) => left + right)
}

export function largestOf(all: readonly Amounts[]): Amounts {
  return merged(all, larger)
}

function larger(left: bigint, right: bigint): bigint {
  if (left < right) return right
  return left
}

function merged(all: readonly Amounts[], choose: (left: bigint, right: bigint) => bigint): Amounts {
  const result = new Map<string, Quantity>()
  for (const [name, amount] of all.flatMap((amounts) => Object.entries(amounts))) {
    const quantity = quantityOf(amount)
    const before = result.get(name)
    result.set(name, before === undefined ? quantity : { ...before, nanos: choose(before.nanos, quantity.nanos) })
  }
  return Object.fromEntries([...result].map(([name, quantity]) => [name, printQuantity(quantity)]))
}

function quantityOf(amount: string | number): Quantity {
  const parsed = parseQuantity(String(amount))
  return 'problem' in parsed ? { nanos: 0n, format: 'decimal' } : parsed
}
