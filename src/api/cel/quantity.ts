import { firstTraversed } from '../../cel/cost/call-costs.ts'
import { firstArg, traversal } from '../../cel/cost/standard-estimates.ts'
import { type CelLibrary, type CelOverload, globalOverload, memberOverload } from '../../cel/environment.ts'
import { checkedInt } from '../../cel/standard/arithmetic.ts'
import { boolType, type CelType, doubleType, intType, stringType, structType } from '../../cel/type.ts'
import { type CelOpaque, type CelResult, type CelValue, failure, noSuchOverload } from '../../cel/value.ts'
import { parseQuantity, type Quantity } from '../quantity.ts'

const typeName = 'kubernetes.Quantity'
const quantityType = structType(typeName)
const nanosPerUnit = 1_000_000_000n

interface QuantityValue extends CelOpaque {
  readonly quantity: Quantity
}

function isQuantityValue(value: CelValue | undefined): value is QuantityValue {
  return typeof value === 'object' && value?.kind === 'opaque' && value.typeName === typeName
}

function quantityValue(quantity: Quantity): QuantityValue {
  return {
    kind: 'opaque',
    typeName,
    quantity,
    equals: (other) => isQuantityValue(other) && other.quantity.nanos === quantity.nanos,
  }
}

function parsed([text]: readonly CelValue[]): CelResult {
  if (typeof text !== 'string') return noSuchOverload
  const found = parseQuantity(text)
  return 'problem' in found ? failure(found.problem) : quantityValue(found)
}

function isQuantity([text]: readonly CelValue[]): CelResult {
  return typeof text === 'string' ? !('problem' in parseQuantity(text)) : noSuchOverload
}

function unary(id: string, result: CelType, call: (nanos: bigint) => CelResult): CelOverload {
  return memberOverload(id, [quantityType], result, ([value]) =>
    isQuantityValue(value) ? call(value.quantity.nanos) : noSuchOverload,
  )
}

function comparison(id: string, result: CelType, call: (difference: bigint) => CelResult): CelOverload {
  return memberOverload(id, [quantityType, quantityType], result, ([left, right]) =>
    isQuantityValue(left) && isQuantityValue(right) ? call(left.quantity.nanos - right.quantity.nanos) : noSuchOverload,
  )
}

function calculation(name: string, calculate: (left: bigint, right: bigint) => bigint): readonly CelOverload[] {
  const call = ([left, right]: readonly CelValue[]): CelResult => {
    const other = typeof right === 'bigint' ? right * nanosPerUnit : nanosOf(right)
    if (!isQuantityValue(left) || other === undefined) return noSuchOverload
    return quantityValue({ ...left.quantity, nanos: calculate(left.quantity.nanos, other) })
  }
  return [
    memberOverload(`quantity_${name}`, [quantityType, quantityType], quantityType, call),
    memberOverload(`quantity_${name}_int`, [quantityType, intType], quantityType, call),
  ]
}

function nanosOf(value: CelValue | undefined): bigint | undefined {
  return isQuantityValue(value) ? value.quantity.nanos : undefined
}

function signOf(nanos: bigint): bigint {
  return nanos === 0n ? 0n : nanos < 0n ? -1n : 1n
}

function wholeUnits(nanos: bigint): CelResult {
  const units = nanos % nanosPerUnit === 0n ? checkedInt(nanos / nanosPerUnit) : undefined
  return typeof units === 'bigint' ? units : failure('cannot convert value to integer')
}

const sign = unary('quantity_sign', intType, signOf)
const traversed = { cost: firstTraversed, estimate: traversal(firstArg) }

/** Earlier versions accepted it as a member, as documented by Kubernetes. */
export const earlierQuantity: CelLibrary = { functions: [{ name: 'sign', overloads: [sign] }] }

export const kubernetesQuantity: CelLibrary = {
  functions: [
    {
      name: 'quantity',
      overloads: [globalOverload('string_to_quantity', [stringType], quantityType, parsed, traversed)],
    },
    {
      name: 'isQuantity',
      overloads: [globalOverload('is_quantity_string', [stringType], boolType, isQuantity, traversed)],
    },
    { name: 'sign', overloads: [{ ...sign, isMember: false }] },
    {
      name: 'isInteger',
      overloads: [unary('quantity_is_integer', boolType, (nanos) => typeof wholeUnits(nanos) === 'bigint')],
    },
    {
      name: 'asInteger',
      overloads: [unary('quantity_get_int', intType, wholeUnits)],
    },
    {
      name: 'asApproximateFloat',
      overloads: [unary('quantity_get_float', doubleType, (nanos) => Number(nanos) / Number(nanosPerUnit))],
    },
    {
      name: 'isGreaterThan',
      overloads: [comparison('quantity_is_greater_than', boolType, (difference) => difference > 0n)],
    },
    { name: 'isLessThan', overloads: [comparison('quantity_is_less_than', boolType, (difference) => difference < 0n)] },
    { name: 'compareTo', overloads: [comparison('quantity_compare_to', intType, signOf)] },
    { name: 'add', overloads: calculation('add', (left, right) => left + right) },
    { name: 'sub', overloads: calculation('sub', (left, right) => left - right) },
  ],
  types: new Map([[typeName, quantityType]]),
}
