import { nanosOf, printQuantity, type Quantity, quantityOf } from '../api/quantity.ts'

/** Amounts of resources by name, as written in objects. */
export type Amounts = Readonly<Record<string, string | number>>

/** Amounts parsed once, for adding up many. */
export type ParsedAmounts = readonly (readonly [name: string, quantity: Quantity])[]

export function parsedAmounts(amounts: Amounts): ParsedAmounts {
  return Object.entries(amounts).map(([name, amount]) => [name, quantityOf(amount)])
}

export function addTo(total: Map<string, Quantity>, amounts: ParsedAmounts): void {
  merge(total, amounts, plus)
}

export function printedAmounts(total: ReadonlyMap<string, Quantity>): Amounts {
  return Object.fromEntries([...total].map(([name, quantity]) => [name, printQuantity(quantity)]))
}

/** The canonical form of an amount. */
export function printedAmount(amount: string | number): string {
  return printQuantity(quantityOf(amount))
}

export function sumOf(all: readonly Amounts[]): Amounts {
  return merged(all, plus)
}

export function largestOf(all: readonly Amounts[]): Amounts {
  return merged(all, larger)
}

/** The amounts by which `after` exceeds `before`; others are left out. */
export function increase(after: Amounts, before: Amounts): Amounts {
  const added = Object.entries(after).flatMap(([name, amount]) => {
    const { nanos, format } = quantityOf(amount)
    const more = nanos - nanosOf(before[name] ?? 0)
    return more > 0n ? [[name, printQuantity({ nanos: more, format })] as const] : []
  })
  return Object.fromEntries(added)
}

export function sameAmounts(left: Amounts, right: Amounts): boolean {
  const names = Object.keys(left)
  if (names.length !== Object.keys(right).length) return false
  return names.every((name) => name in right && nanosOf(left[name] ?? 0) === nanosOf(right[name] ?? 0))
}

export function onlyNamed(amounts: Amounts, isMeant: (name: string) => boolean): Amounts {
  return Object.fromEntries(Object.entries(amounts).filter(([name]) => isMeant(name)))
}

function plus(left: bigint, right: bigint): bigint {
  return left + right
}

function larger(left: bigint, right: bigint): bigint {
  if (left < right) return right
  return left
}

function merged(all: readonly Amounts[], choose: (left: bigint, right: bigint) => bigint): Amounts {
  const result = new Map<string, Quantity>()
  for (const amounts of all) merge(result, parsedAmounts(amounts), choose)
  return printedAmounts(result)
}

/** If one of the two amounts is zero, the format of the other is used. */
function merge(into: Map<string, Quantity>, amounts: ParsedAmounts, choose: (left: bigint, right: bigint) => bigint) {
  for (const [name, quantity] of amounts) {
    const before = into.get(name)
    const { format } = before === undefined || before.nanos === 0n ? quantity : before
    into.set(name, before === undefined ? quantity : { format, nanos: choose(before.nanos, quantity.nanos) })
  }
}
