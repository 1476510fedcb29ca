import { type QuantityFormat, quantityOf } from '../quantity.ts'
import { quoted } from './go-syntax.ts'
import { shortened } from './shortened.ts'

const formats: Readonly<Record<QuantityFormat, string>> = {
  decimal: 'DecimalSI',
  binary: 'BinarySI',
  exponent: 'DecimalExponent',
}

/** `%#v` of an amount, as errors of Kubernetes show it: an integer and a scale, followed by its written form. */
export function goQuantity(amount: string | number): string {
  const { nanos, format } = quantityOf(amount)
  let [value, scale] = [nanos, -9]
  while (scale < 0 && value % 1000n === 0n) {
    value /= 1000n
    scale += 3
  }
  const written = quoted(shortened(String(amount)))
  return `resource.Quantity{i:resource.int64Amount{value:${value}, scale:${scale}}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:${written}, Format:"${formats[format]}"}`
}
