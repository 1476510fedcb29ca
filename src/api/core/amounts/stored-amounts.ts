import { type FieldError, invalidField, invalidFieldAs } from '../../field-error.ts'
import { nanosOf, parseQuantity, printQuantity, quantityOf } from '../../quantity.ts'

const one = 1_000_000_000n

/** Stored amounts cannot be negative. Reported as an integer, rounded away from zero. */
export function checkStoredAmount(field: string, amount: string | number): readonly FieldError[] {
  const nanos = nanosOf(amount)
  if (nanos >= 0n) return []
  return [invalidFieldAs(field, String((nanos - one + 1n) / one), 'must be a valid resource quantity')]
}

export function checkPositiveQuantity(field: string, text: string): readonly FieldError[] {
  const quantity = parseQuantity(text)
  if ('problem' in quantity || quantity.nanos > 0n) return []
  return [invalidField(field, printQuantity(quantityOf(text)), 'must be greater than zero')]
}
